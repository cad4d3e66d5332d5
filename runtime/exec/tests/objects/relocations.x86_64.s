# Every way in which code of the large and of the small model refers to things: outputs are int64[3] and double[2].
	.text
	.globl	sconce_entry
	.type	sconce_entry,@function
sconce_entry:
	pushq	%rbx
	pushq	%r12
	subq	$8, %rsp
	movq	(%rdi), %rbx
	movq	40(%rdi), %r12
	movq	table@GOTPCREL(%rip), %rax
	movq	(%rax), %rax
	movq	(%rax), %rcx
	movq	%rcx, (%rbx)
	leaq	apart(%rip), %rax
	movq	(%rax), %rcx
	addq	%rax, %rcx
	movq	8(%rcx), %rcx
	movq	%rcx, 8(%rbx)
	addq	$1, counter(%rip)
	movq	counter(%rip), %rcx
	movq	%rcx, 16(%rbx)
	movsd	one(%rip), %xmm0
	callq	exp@PLT
	movsd	%xmm0, (%r12)
	movsd	one(%rip), %xmm0
	callq	*cos@GOTPCREL(%rip)
	movsd	%xmm0, 8(%r12)
	movabsq	$sin, %rax
	movsd	one(%rip), %xmm0
	callq	*%rax
	addsd	8(%r12), %xmm0
	movsd	%xmm0, 8(%r12)
	addq	$8, %rsp
	popq	%r12
	popq	%rbx
	retq
	.size	sconce_entry, .-sconce_entry
	.section	.rodata,"a",@progbits
	.p2align	4
one:	.double	1.0
apart:	.quad	numbers - .
	.data
	.p2align	3
	.globl	table
table:	.quad	numbers
numbers:	.quad	7, 8
	.bss
	.p2align	3
counter:	.zero	8
