
; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare double @erf(double) local_unnamed_addr #0

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)
define void @sconce_entry(ptr readonly captures(none) %0) local_unnamed_addr #1 {
  %2 = getelementptr i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr i8, ptr %0, i64 64
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr i8, ptr %0, i64 120
  %7 = load ptr, ptr %6, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !1)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !4)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !6)
  %8 = load double, ptr %3, align 8, !alias.scope !1, !noalias !8
  %9 = load double, ptr %5, align 8, !alias.scope !4, !noalias !9
  %10 = tail call double @llvm.pow.f64(double %9, double %8)
  %11 = tail call double @erf(double %8)
  %12 = fadd double %11, %10
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %14 = load double, ptr %13, align 8, !alias.scope !1, !noalias !8
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = load double, ptr %15, align 8, !alias.scope !4, !noalias !9
  %17 = tail call double @llvm.pow.f64(double %16, double %14)
  %18 = tail call double @erf(double %14)
  %19 = fadd double %18, %17
  %20 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %21 = load double, ptr %20, align 8, !alias.scope !1, !noalias !8
  %22 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %23 = load double, ptr %22, align 8, !alias.scope !4, !noalias !9
  %24 = tail call double @llvm.pow.f64(double %23, double %21)
  %25 = tail call double @erf(double %21)
  %26 = fadd double %25, %24
  %27 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %28 = load double, ptr %27, align 8, !alias.scope !1, !noalias !8
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %30 = load double, ptr %29, align 8, !alias.scope !4, !noalias !9
  %31 = tail call double @llvm.pow.f64(double %30, double %28)
  %32 = tail call double @erf(double %28)
  %33 = fadd double %32, %31
  %34 = getelementptr inbounds nuw i8, ptr %3, i64 32
  %35 = load double, ptr %34, align 8, !alias.scope !1, !noalias !8
  %36 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %37 = load double, ptr %36, align 8, !alias.scope !4, !noalias !9
  %38 = tail call double @llvm.pow.f64(double %37, double %35)
  %39 = tail call double @erf(double %35)
  %40 = fadd double %39, %38
  %41 = getelementptr inbounds nuw i8, ptr %3, i64 40
  %42 = load double, ptr %41, align 8, !alias.scope !1, !noalias !8
  %43 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %44 = load double, ptr %43, align 8, !alias.scope !4, !noalias !9
  %45 = tail call double @llvm.pow.f64(double %44, double %42)
  %46 = tail call double @erf(double %42)
  %47 = fadd double %46, %45
  %48 = getelementptr inbounds nuw i8, ptr %3, i64 48
  %49 = load double, ptr %48, align 8, !alias.scope !1, !noalias !8
  %50 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %51 = load double, ptr %50, align 8, !alias.scope !4, !noalias !9
  %52 = tail call double @llvm.pow.f64(double %51, double %49)
  %53 = tail call double @erf(double %49)
  %54 = fadd double %53, %52
  %55 = getelementptr inbounds nuw i8, ptr %3, i64 56
  %56 = load double, ptr %55, align 8, !alias.scope !1, !noalias !8
  %57 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %58 = load double, ptr %57, align 8, !alias.scope !4, !noalias !9
  %59 = tail call double @llvm.pow.f64(double %58, double %56)
  %60 = tail call double @erf(double %56)
  %61 = fadd double %60, %59
  %62 = getelementptr inbounds nuw i8, ptr %3, i64 64
  %63 = load double, ptr %62, align 8, !alias.scope !1, !noalias !8
  %64 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %65 = load double, ptr %64, align 8, !alias.scope !4, !noalias !9
  %66 = tail call double @llvm.pow.f64(double %65, double %63)
  %67 = tail call double @erf(double %63)
  %68 = fadd double %67, %66
  %69 = getelementptr inbounds nuw i8, ptr %3, i64 72
  %70 = load double, ptr %69, align 8, !alias.scope !1, !noalias !8
  %71 = getelementptr inbounds nuw i8, ptr %5, i64 72
  %72 = load double, ptr %71, align 8, !alias.scope !4, !noalias !9
  %73 = tail call double @llvm.pow.f64(double %72, double %70)
  %74 = tail call double @erf(double %70)
  %75 = fadd double %74, %73
  %76 = getelementptr inbounds nuw i8, ptr %3, i64 80
  %77 = load double, ptr %76, align 8, !alias.scope !1, !noalias !8
  %78 = getelementptr inbounds nuw i8, ptr %5, i64 80
  %79 = load double, ptr %78, align 8, !alias.scope !4, !noalias !9
  %80 = tail call double @llvm.pow.f64(double %79, double %77)
  %81 = tail call double @erf(double %77)
  %82 = fadd double %81, %80
  %83 = getelementptr inbounds nuw i8, ptr %3, i64 88
  %84 = load double, ptr %83, align 8, !alias.scope !1, !noalias !8
  %85 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %86 = load double, ptr %85, align 8, !alias.scope !4, !noalias !9
  %87 = tail call double @llvm.pow.f64(double %86, double %84)
  %88 = tail call double @erf(double %84)
  %89 = fadd double %88, %87
  %90 = tail call double @llvm.maximum.f64(double %19, double %12)
  %91 = tail call double @llvm.maximum.f64(double %26, double %90)
  %92 = tail call double @llvm.maximum.f64(double %33, double %91)
  %93 = tail call double @llvm.maximum.f64(double %47, double %40)
  %94 = tail call double @llvm.maximum.f64(double %54, double %93)
  %95 = tail call double @llvm.maximum.f64(double %61, double %94)
  %96 = tail call double @llvm.maximum.f64(double %75, double %68)
  %97 = tail call double @llvm.maximum.f64(double %82, double %96)
  %98 = tail call double @llvm.maximum.f64(double %89, double %97)
  %99 = fsub double %12, %92
  %100 = tail call double @llvm.exp.f64(double %99)
  %101 = fsub double %19, %92
  %102 = tail call double @llvm.exp.f64(double %101)
  %103 = fsub double %26, %92
  %104 = tail call double @llvm.exp.f64(double %103)
  %105 = fsub double %33, %92
  %106 = tail call double @llvm.exp.f64(double %105)
  %107 = fsub double %40, %95
  %108 = tail call double @llvm.exp.f64(double %107)
  %109 = fsub double %47, %95
  %110 = tail call double @llvm.exp.f64(double %109)
  %111 = fsub double %54, %95
  %112 = tail call double @llvm.exp.f64(double %111)
  %113 = fsub double %61, %95
  %114 = tail call double @llvm.exp.f64(double %113)
  %115 = fsub double %68, %98
  %116 = tail call double @llvm.exp.f64(double %115)
  %117 = fsub double %75, %98
  %118 = tail call double @llvm.exp.f64(double %117)
  %119 = fsub double %82, %98
  %120 = tail call double @llvm.exp.f64(double %119)
  %121 = fsub double %89, %98
  %122 = tail call double @llvm.exp.f64(double %121)
  %123 = fadd reassoc double %102, %100
  %124 = fadd reassoc double %104, %123
  %125 = fadd reassoc double %106, %124
  %126 = fadd reassoc double %110, %108
  %127 = fadd reassoc double %112, %126
  %128 = fadd reassoc double %114, %127
  %129 = fadd reassoc double %118, %116
  %130 = fadd reassoc double %120, %129
  %131 = fadd reassoc double %122, %130
  %132 = fdiv double 1.000000e+00, %125
  %133 = insertelement <4 x double> poison, double %100, i64 0
  %134 = insertelement <4 x double> %133, double %102, i64 1
  %135 = insertelement <4 x double> %134, double %104, i64 2
  %136 = insertelement <4 x double> %135, double %106, i64 3
  %137 = insertelement <4 x double> poison, double %132, i64 0
  %138 = shufflevector <4 x double> %137, <4 x double> poison, <4 x i32> zeroinitializer
  %139 = fmul <4 x double> %136, %138
  store <4 x double> %139, ptr %7, align 8, !alias.scope !6, !noalias !10
  %140 = fdiv double 1.000000e+00, %128
  %141 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %142 = insertelement <4 x double> poison, double %108, i64 0
  %143 = insertelement <4 x double> %142, double %110, i64 1
  %144 = insertelement <4 x double> %143, double %112, i64 2
  %145 = insertelement <4 x double> %144, double %114, i64 3
  %146 = insertelement <4 x double> poison, double %140, i64 0
  %147 = shufflevector <4 x double> %146, <4 x double> poison, <4 x i32> zeroinitializer
  %148 = fmul <4 x double> %145, %147
  store <4 x double> %148, ptr %141, align 8, !alias.scope !6, !noalias !10
  %149 = fdiv double 1.000000e+00, %131
  %150 = getelementptr inbounds nuw i8, ptr %7, i64 64
  %151 = insertelement <4 x double> poison, double %116, i64 0
  %152 = insertelement <4 x double> %151, double %118, i64 1
  %153 = insertelement <4 x double> %152, double %120, i64 2
  %154 = insertelement <4 x double> %153, double %122, i64 3
  %155 = insertelement <4 x double> poison, double %149, i64 0
  %156 = shufflevector <4 x double> %155, <4 x double> poison, <4 x i32> zeroinitializer
  %157 = fmul <4 x double> %154, %156
  store <4 x double> %157, ptr %150, align 8, !alias.scope !6, !noalias !10
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.exp.f64(double) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.maximum.f64(double, double) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.pow.f64(double, double) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

attributes #0 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, target_mem0: none, target_mem1: none)   }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{!2}
!2 = distinct !{!2, !3, !"__torch__.r.f.r0: argument 0"}
!3 = distinct !{!3, !"__torch__.r.f.r0"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"__torch__.r.f.r0: argument 1"}
!6 = !{!7}
!7 = distinct !{!7, !3, !"__torch__.r.f.r0: argument 2"}
!8 = !{!5, !7}
!9 = !{!2, !7}
!10 = !{!2, !5}
