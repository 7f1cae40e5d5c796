"""The page Your data: from a table or typed beliefs to a problem, and what the survey can say."""
