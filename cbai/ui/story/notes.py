"""What a lecturer may say to each step of the story: five minutes in all; no Streamlit here."""

from __future__ import annotations

NOTES = (
    "**0:00.** Ask the room for a guess first: how many views does it take to tell two click rates "
    "apart? Move the slider. Each band is 95 % certain. The bands shrink with the square root of "
    "the number of views, so being twice as exact costs four times as many views.",
    "**0:40.** Everybody looks early and often. Move the slider to 10,000 looks: the dashed band "
    "fails far more often than it should. The solid band may be checked at any time. It is a bit "
    "wider, and it is what every algorithm here uses.",
    "**1:20.** Press Space to play. All six ads are shown in turn. Ask who will be ruled out last. "
    "Point out that the two best ads decide, but all the others cost just as much.",
    "**2:00.** LUCB shows only the leader and its strongest rival. Move δ: more certainty costs "
    "surprisingly little, because the cost grows with the logarithm of 1/δ. But five losing ads "
    "must still be beaten by views of their own.",
    "**2:40.** The new idea. What somebody clicks says something about what else they would click. "
    "Press People (a), then People (b): other ads win, yet the bounds are the same. Bounds can "
    "rule out an ad. They cannot crown one.",
    "**3:20.** Choose one score of the best ad, such as 9: every other ad gets a bound from this "
    "single view. The average of these bounds is where a bar ends. Ads whose bar ends below the "
    "second best never need views of their own.",
    "**4:00.** Press Space to play the six ads. Then switch to film genres without a buffer: the "
    "answer is right, but the bounds are false. Ask whether a right answer shows that the "
    "assumption is true. End with the safe buffer.",
)
"""One note for each step, with the time at which it begins."""
