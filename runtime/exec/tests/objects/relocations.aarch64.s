// Every way in which code refers to things; what is written is read by a test, not run.
	.text
	.globl	sconce_entry
	.type	sconce_entry,@function
sconce_entry:
	adrp	x1, numbers
	add	x1, x1, :lo12:numbers
	ldrb	w2, [x1, :lo12:numbers]
	ldrh	w2, [x1, :lo12:numbers]
	ldr	w2, [x1, :lo12:numbers]
	ldr	x2, [x1, :lo12:numbers]
	ldr	q2, [x1, :lo12:numbers]
	adrp	x3, :got:exp
	ldr	x3, [x3, :got_lo12:exp]
	bl	exp
	b	elsewhere
	.size	sconce_entry, .-sconce_entry
	.section	.text.elsewhere,"ax",@progbits
	.globl	elsewhere
	.type	elsewhere,@function
elsewhere:
	ret
	.data
	.p2align	4
	.globl	numbers
numbers:	.quad	7
	.quad	numbers
	.section	.rodata,"a",@progbits
	.p2align	3
	.quad	numbers - .
	.word	numbers - .
