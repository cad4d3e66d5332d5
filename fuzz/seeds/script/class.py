class C(Base, metaclass=M):
    a: "Optional[int]"
    b = c = 1  # type: Dict[str, Tuple[int, str]]
    @property
    async def p(self):
        await self.q
        return {x: y for x, y in z}, {1, 2}, (a for b in c)
