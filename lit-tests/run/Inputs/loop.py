def total(n: int) -> int:
    s = 0
    for i in range(n):
        if i > 3:
            s = s + i
    return s
