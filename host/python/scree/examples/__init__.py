"""Examples: each is a program of less than 60 lines that compares a result with a published or analytic value.

    python -m scree.examples                list them
    python -m scree.examples arch           run one; its picture is example_arch.png
    python -m scree.examples all --small    run all at small settings
"""

NAMES = ("arch", "clumps", "drum", "hopper", "shear", "study", "calibration")
