"""Words that are ratings: known scales of agreement, frequency, quality and the like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ENGLISH = """
strongly disagree < disagree < neutral < agree < strongly agree
strongly disagree < disagree < neither agree nor disagree < agree < strongly agree
strongly disagree < disagree < neither < agree < strongly agree
strongly disagree < disagree < undecided < agree < strongly agree
strongly disagree < disagree < not sure < agree < strongly agree
strongly disagree < disagree < agree < strongly agree
strongly disagree < somewhat disagree < neutral < somewhat agree < strongly agree
strongly disagree < somewhat disagree < neither agree nor disagree < somewhat agree < strongly agree
strongly disagree < somewhat disagree < somewhat agree < strongly agree
strongly disagree < disagree < somewhat disagree < neutral < somewhat agree < agree < strongly agree
strongly disagree < disagree < somewhat disagree < neither agree nor disagree < somewhat agree < agree < strongly agree
strongly disagree < disagree < slightly disagree < neutral < slightly agree < agree < strongly agree
completely disagree < disagree < neutral < agree < completely agree
totally disagree < disagree < neutral < agree < totally agree
never < rarely < sometimes < often < always
never < seldom < sometimes < often < always
never < rarely < sometimes < usually < always
never < rarely < occasionally < often < always
never < rarely < sometimes < often < very often
never < sometimes < often < always
very poor < poor < fair < good < very good
very poor < poor < average < good < very good
very poor < poor < acceptable < good < very good
very bad < bad < neutral < good < very good
very bad < bad < ok < good < very good
very bad < bad < average < good < very good
terrible < bad < ok < good < excellent
poor < fair < good < very good < excellent
poor < fair < good < excellent
bad < ok < good
bad < okay < good
very dissatisfied < dissatisfied < neutral < satisfied < very satisfied
very dissatisfied < dissatisfied < neither satisfied nor dissatisfied < satisfied < very satisfied
very dissatisfied < somewhat dissatisfied < neutral < somewhat satisfied < very satisfied
very dissatisfied < dissatisfied < satisfied < very satisfied
very unsatisfied < unsatisfied < neutral < satisfied < very satisfied
very unlikely < unlikely < neutral < likely < very likely
very unlikely < unlikely < neither likely nor unlikely < likely < very likely
very unlikely < somewhat unlikely < neutral < somewhat likely < very likely
extremely unlikely < unlikely < neutral < likely < extremely likely
not at all likely < slightly likely < moderately likely < very likely < extremely likely
not at all < slightly < moderately < very < extremely
not at all < a little < somewhat < quite a bit < very much
not at all important < slightly important < moderately important < very important < extremely important
not important < slightly important < moderately important < important < very important
dislike a lot < dislike < neutral < like < like a lot
hate < dislike < neutral < like < love
strongly dislike < dislike < neutral < like < strongly like
low < medium < high
very low < low < medium < high < very high
"""  # noqa: E501

_GERMAN = """
stimme überhaupt nicht zu < stimme nicht zu < neutral < stimme zu < stimme voll und ganz zu
stimme überhaupt nicht zu < stimme eher nicht zu < neutral < stimme eher zu < stimme voll und ganz zu
stimme überhaupt nicht zu < stimme nicht zu < teils/teils < stimme zu < stimme voll und ganz zu
stimme überhaupt nicht zu < stimme eher nicht zu < teils/teils < stimme eher zu < stimme voll und ganz zu
stimme gar nicht zu < stimme eher nicht zu < weder noch < stimme eher zu < stimme voll zu
stimme gar nicht zu < stimme nicht zu < neutral < stimme zu < stimme voll zu
stimme gar nicht zu < stimme eher nicht zu < teils/teils < stimme eher zu < stimme voll zu
stimme nicht zu < stimme eher nicht zu < neutral < stimme eher zu < stimme zu
stimme nicht zu < stimme eher nicht zu < teils/teils < stimme eher zu < stimme voll zu
stimme nicht zu < stimme eher nicht zu < stimme eher zu < stimme voll zu
stimme überhaupt nicht zu < stimme nicht zu < weder noch < stimme zu < stimme voll und ganz zu
trifft überhaupt nicht zu < trifft eher nicht zu < teils/teils < trifft eher zu < trifft voll und ganz zu
trifft gar nicht zu < trifft eher nicht zu < teils/teils < trifft eher zu < trifft voll zu
trifft nicht zu < trifft eher nicht zu < teils/teils < trifft eher zu < trifft zu
trifft nicht zu < trifft eher nicht zu < weder noch < trifft eher zu < trifft zu
trifft nicht zu < trifft eher nicht zu < trifft eher zu < trifft zu
nie < selten < manchmal < oft < immer
nie < selten < manchmal < häufig < immer
nie < selten < gelegentlich < oft < immer
nie < selten < gelegentlich < häufig < immer
niemals < selten < manchmal < oft < immer
nie < selten < manchmal < oft < sehr oft
nie < manchmal < oft < immer
sehr schlecht < schlecht < neutral < gut < sehr gut
sehr schlecht < schlecht < mittel < gut < sehr gut
sehr schlecht < schlecht < mittelmäßig < gut < sehr gut
sehr schlecht < schlecht < befriedigend < gut < sehr gut
sehr schlecht < eher schlecht < mittelmäßig < eher gut < sehr gut
ungenügend < mangelhaft < ausreichend < befriedigend < gut < sehr gut
mangelhaft < ausreichend < befriedigend < gut < sehr gut
schlecht < mittel < gut
sehr unzufrieden < unzufrieden < neutral < zufrieden < sehr zufrieden
sehr unzufrieden < eher unzufrieden < neutral < eher zufrieden < sehr zufrieden
sehr unzufrieden < eher unzufrieden < teils/teils < eher zufrieden < sehr zufrieden
sehr unzufrieden < unzufrieden < weder noch < zufrieden < sehr zufrieden
sehr unzufrieden < unzufrieden < teils/teils < zufrieden < sehr zufrieden
unzufrieden < eher unzufrieden < eher zufrieden < zufrieden
sehr unwahrscheinlich < unwahrscheinlich < neutral < wahrscheinlich < sehr wahrscheinlich
sehr unwahrscheinlich < eher unwahrscheinlich < neutral < eher wahrscheinlich < sehr wahrscheinlich
sehr unwahrscheinlich < eher unwahrscheinlich < vielleicht < eher wahrscheinlich < sehr wahrscheinlich
gar nicht < wenig < mittelmäßig < ziemlich < sehr
überhaupt nicht < kaum < mittelmäßig < ziemlich < außerordentlich
unwichtig < eher unwichtig < neutral < eher wichtig < sehr wichtig
niedrig < mittel < hoch
sehr niedrig < niedrig < mittel < hoch < sehr hoch
"""  # noqa: E501

_OTHERS = """
pas du tout d'accord < pas d'accord < neutre < d'accord < tout à fait d'accord
pas du tout d'accord < plutôt pas d'accord < neutre < plutôt d'accord < tout à fait d'accord
pas du tout d'accord < plutôt pas d'accord < ni d'accord ni pas d'accord < plutôt d'accord < tout à fait d'accord
pas du tout d'accord < pas d'accord < ni d'accord ni pas d'accord < d'accord < tout à fait d'accord
pas du tout d'accord < plutôt pas d'accord < plutôt d'accord < tout à fait d'accord
jamais < rarement < parfois < souvent < toujours
très mauvais < mauvais < moyen < bon < très bon
très insatisfait < insatisfait < neutre < satisfait < très satisfait
pas du tout satisfait < peu satisfait < satisfait < très satisfait
totalmente en desacuerdo < en desacuerdo < neutral < de acuerdo < totalmente de acuerdo
totalmente en desacuerdo < en desacuerdo < ni de acuerdo ni en desacuerdo < de acuerdo < totalmente de acuerdo
muy en desacuerdo < en desacuerdo < ni de acuerdo ni en desacuerdo < de acuerdo < muy de acuerdo
muy en desacuerdo < en desacuerdo < neutral < de acuerdo < muy de acuerdo
nunca < raramente < a veces < a menudo < siempre
nunca < casi nunca < a veces < casi siempre < siempre
muy malo < malo < regular < bueno < muy bueno
muy insatisfecho < insatisfecho < neutral < satisfecho < muy satisfecho
per niente d'accordo < poco d'accordo < abbastanza d'accordo < molto d'accordo < del tutto d'accordo
per niente d'accordo < poco d'accordo < né d'accordo né in disaccordo < abbastanza d'accordo < molto d'accordo
fortemente in disaccordo < in disaccordo < neutrale < d'accordo < fortemente d'accordo
completamente in disaccordo < in disaccordo < neutrale < d'accordo < completamente d'accordo
mai < raramente < a volte < spesso < sempre
pessimo < scarso < sufficiente < buono < ottimo
molto insoddisfatto < insoddisfatto < neutrale < soddisfatto < molto soddisfatto
helemaal mee oneens < mee oneens < neutraal < mee eens < helemaal mee eens
helemaal oneens < oneens < neutraal < eens < helemaal eens
nooit < zelden < soms < vaak < altijd
discordo totalmente < discordo < neutro < concordo < concordo totalmente
nunca < raramente < às vezes < frequentemente < sempre
"""  # noqa: E501

SCALES = tuple(
    tuple(word.strip() for word in line.split("<"))
    for line in (_ENGLISH + _GERMAN + _OTHERS).splitlines()
    if line
)
"""Known scales, each with the lowest word first."""

MAX_WORDS = 11
"""How many different words may be a scale."""


def same_word(word: str) -> str:
    """Return a word as it is compared: small letters, single spaces, no full stop at the end."""
    return " ".join(word.casefold().replace("\u2019", "'").split()).rstrip(".!")


def known_scale(words: Iterable[str]) -> tuple[str, ...]:
    """Return the shortest known scale that holds all the words, or ()."""
    found = {_loose(word) for word in words}
    fits = [scale for scale in SCALES if found <= {_loose(word) for word in scale}]
    return min(fits, key=len, default=()) if len(found) >= 2 else ()


def as_written(scale: tuple[str, ...], words: Iterable[str]) -> tuple[str, ...]:
    """Return the scale with those words that occur written as they occur."""
    written = {_loose(word): same_word(word) for word in words}
    return tuple(written.get(_loose(word), word) for word in scale)


def by_number(words: Iterable[str]) -> tuple[str, ...]:
    """Return words that all begin with a number, such as "5 (very good)", in its order, or ()."""
    found = [(re.match(r"\d+(?=\D)", word), word) for word in words]
    if not found or not all(number for number, _ in found):
        return ()
    ordered = sorted((int(number[0][:9]), word) for number, word in found if number)
    different = len({number for number, _ in ordered}) == len(ordered)
    return tuple(word for _, word in ordered) if different else ()


def _loose(word: str) -> str:
    plain = unicodedata.normalize("NFKD", same_word(word).replace("ß", "ss"))
    plain = re.sub(r"[^a-z]", "", plain)
    return plain.replace("ae", "a").replace("oe", "o").replace("ue", "u")
