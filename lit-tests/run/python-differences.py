# RUN: sconce run %s --entry f -i 7 2>&1 | FileCheck %s --implicit-check-not=warning:
# RUN: sconce run %s --entry f -i 7 --no-python-warnings 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=warning:
# Lines that mean something else than in Python are pointed out; docs/python-differences.md lists what there is.


def f(n: int):
    # CHECK-DAG: warning: {{.*}}python-differences.py:[[@LINE+1]]:9: `{0}` stays as it is, only `{}` is filled in
    a = "{0}-{}".format(n)
    # CHECK-DAG: warning: {{.*}}:[[@LINE+1]]:9: characters are bytes of UTF-8
    b = len("é")
    # CHECK-DAG: warning: {{.*}}:[[@LINE+1]]:9: round of a float is a float
    c = round(n + 0.5)
    # CHECK-DAG: warning: {{.*}}:[[@LINE+1]]:9: a division by zero gives inf or nan where Python raises ZeroDivisionError
    d = n / 0
    # CHECK-DAG: warning: {{.*}}:[[@LINE+1]]:9: numbers are shifted by the count modulo 64
    e = n << 64
    x = float(n)
    # CHECK-DAG: warning: {{.*}}:[[@LINE+1]]:9: a number equals itself
    g = x == x
    return a, b, c, d, e, g, "{}".format(n), len("abc"), n / 2, n << 3, n == n


# CHECK-DAG: ('{0}-7', 2, 8.0, inf, 7, True, '7', 3, 3.5, 56, True)
# QUIET: ('{0}-7', 2, 8.0, inf, 7, True, '7', 3, 3.5, 56, True)
