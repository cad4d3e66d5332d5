//! Every operator of the op table as a constant, `aten::add_Tensor` for `aten::add.Tensor`. Made by `cargo xtask codegen` from
//! dialects/td/ops; do not edit.

#![allow(non_upper_case_globals, reason = "named as the operators are")]

/// `aten::…`
#[rustfmt::skip]
pub mod aten {
    use crate::op::OpId;
    /// `aten::Bool.Tensor`
    pub const Bool_Tensor: OpId = OpId(2727);
    /// `aten::Bool.float`
    pub const Bool_float: OpId = OpId(2728);
    /// `aten::Bool.int`
    pub const Bool_int: OpId = OpId(2729);
    /// `aten::ComplexImplicit`
    pub const ComplexImplicit: OpId = OpId(2991);
    /// `aten::Complex.Scalar`
    pub const Complex_Scalar: OpId = OpId(2730);
    /// `aten::Complex.Tensor_Tensor`
    pub const Complex_Tensor_Tensor: OpId = OpId(2731);
    /// `aten::Complex.Tensor_bool`
    pub const Complex_Tensor_bool: OpId = OpId(2732);
    /// `aten::Complex.Tensor_float`
    pub const Complex_Tensor_float: OpId = OpId(2733);
    /// `aten::Complex.Tensor_int`
    pub const Complex_Tensor_int: OpId = OpId(2734);
    /// `aten::Complex.bool_Tensor`
    pub const Complex_bool_Tensor: OpId = OpId(2735);
    /// `aten::Complex.bool_bool`
    pub const Complex_bool_bool: OpId = OpId(2736);
    /// `aten::Complex.bool_float`
    pub const Complex_bool_float: OpId = OpId(2737);
    /// `aten::Complex.bool_int`
    pub const Complex_bool_int: OpId = OpId(2738);
    /// `aten::Complex.float_Tensor`
    pub const Complex_float_Tensor: OpId = OpId(2739);
    /// `aten::Complex.float_bool`
    pub const Complex_float_bool: OpId = OpId(2740);
    /// `aten::Complex.float_float`
    pub const Complex_float_float: OpId = OpId(2741);
    /// `aten::Complex.float_int`
    pub const Complex_float_int: OpId = OpId(2742);
    /// `aten::Complex.int_Tensor`
    pub const Complex_int_Tensor: OpId = OpId(2743);
    /// `aten::Complex.int_bool`
    pub const Complex_int_bool: OpId = OpId(2744);
    /// `aten::Complex.int_float`
    pub const Complex_int_float: OpId = OpId(2745);
    /// `aten::Complex.int_int`
    pub const Complex_int_int: OpId = OpId(2746);
    /// `aten::Delete.Dict_Tensor`
    pub const Delete_Dict_Tensor: OpId = OpId(302);
    /// `aten::Delete.Dict_bool`
    pub const Delete_Dict_bool: OpId = OpId(303);
    /// `aten::Delete.Dict_complex`
    pub const Delete_Dict_complex: OpId = OpId(304);
    /// `aten::Delete.Dict_float`
    pub const Delete_Dict_float: OpId = OpId(305);
    /// `aten::Delete.Dict_int`
    pub const Delete_Dict_int: OpId = OpId(306);
    /// `aten::Delete.Dict_str`
    pub const Delete_Dict_str: OpId = OpId(307);
    /// `aten::Delete.t`
    pub const Delete_t: OpId = OpId(993);
    /// `aten::FloatImplicit`
    pub const FloatImplicit: OpId = OpId(2751);
    /// `aten::Float.Scalar`
    pub const Float_Scalar: OpId = OpId(2747);
    /// `aten::Float.Tensor`
    pub const Float_Tensor: OpId = OpId(2748);
    /// `aten::Float.bool`
    pub const Float_bool: OpId = OpId(2749);
    /// `aten::Float.int`
    pub const Float_int: OpId = OpId(2750);
    /// `aten::Float.str`
    pub const Float_str: OpId = OpId(3235);
    /// `aten::IntImplicit`
    pub const IntImplicit: OpId = OpId(2756);
    /// `aten::Int.Scalar`
    pub const Int_Scalar: OpId = OpId(2752);
    /// `aten::Int.Tensor`
    pub const Int_Tensor: OpId = OpId(2753);
    /// `aten::Int.bool`
    pub const Int_bool: OpId = OpId(2754);
    /// `aten::Int.float`
    pub const Int_float: OpId = OpId(2755);
    /// `aten::Int.str`
    pub const Int_str: OpId = OpId(3236);
    /// `aten::ScalarImplicit`
    pub const ScalarImplicit: OpId = OpId(2757);
    /// `aten::Size`
    pub const Size: OpId = OpId(1076);
    /// `aten::__and__.Scalar`
    pub const __and___Scalar: OpId = OpId(1360);
    /// `aten::__and__.Tensor`
    pub const __and___Tensor: OpId = OpId(1361);
    /// `aten::__and__.bool`
    pub const __and___bool: OpId = OpId(2758);
    /// `aten::__and__.int`
    pub const __and___int: OpId = OpId(2759);
    /// `aten::__contains__.Tensor`
    pub const __contains___Tensor: OpId = OpId(308);
    /// `aten::__contains__.bool`
    pub const __contains___bool: OpId = OpId(309);
    /// `aten::__contains__.complex`
    pub const __contains___complex: OpId = OpId(310);
    /// `aten::__contains__.float`
    pub const __contains___float: OpId = OpId(311);
    /// `aten::__contains__.float_list`
    pub const __contains___float_list: OpId = OpId(994);
    /// `aten::__contains__.int`
    pub const __contains___int: OpId = OpId(312);
    /// `aten::__contains__.int_list`
    pub const __contains___int_list: OpId = OpId(995);
    /// `aten::__contains__.str`
    pub const __contains___str: OpId = OpId(313);
    /// `aten::__contains__.str_list`
    pub const __contains___str_list: OpId = OpId(996);
    /// `aten::__derive_index`
    pub const __derive_index: OpId = OpId(2760);
    /// `aten::__getitem__.Dict_Tensor`
    pub const __getitem___Dict_Tensor: OpId = OpId(314);
    /// `aten::__getitem__.Dict_bool`
    pub const __getitem___Dict_bool: OpId = OpId(315);
    /// `aten::__getitem__.Dict_complex`
    pub const __getitem___Dict_complex: OpId = OpId(316);
    /// `aten::__getitem__.Dict_float`
    pub const __getitem___Dict_float: OpId = OpId(317);
    /// `aten::__getitem__.Dict_int`
    pub const __getitem___Dict_int: OpId = OpId(318);
    /// `aten::__getitem__.Dict_str`
    pub const __getitem___Dict_str: OpId = OpId(319);
    /// `aten::__getitem__.str`
    pub const __getitem___str: OpId = OpId(3237);
    /// `aten::__getitem__.t`
    pub const __getitem___t: OpId = OpId(997);
    /// `aten::__iand__.Scalar`
    pub const __iand___Scalar: OpId = OpId(1969);
    /// `aten::__iand__.Tensor`
    pub const __iand___Tensor: OpId = OpId(1970);
    /// `aten::__ilshift__.Scalar`
    pub const __ilshift___Scalar: OpId = OpId(1362);
    /// `aten::__ilshift__.Tensor`
    pub const __ilshift___Tensor: OpId = OpId(1363);
    /// `aten::__interpolate`
    pub const __interpolate: OpId = OpId(3366);
    /// `aten::__interpolate.scale_list`
    pub const __interpolate_scale_list: OpId = OpId(3367);
    /// `aten::__interpolate.size_list`
    pub const __interpolate_size_list: OpId = OpId(3368);
    /// `aten::__interpolate.size_list_scale_list`
    pub const __interpolate_size_list_scale_list: OpId = OpId(3369);
    /// `aten::__ior__.Scalar`
    pub const __ior___Scalar: OpId = OpId(1971);
    /// `aten::__ior__.Tensor`
    pub const __ior___Tensor: OpId = OpId(1972);
    /// `aten::__irshift__.Scalar`
    pub const __irshift___Scalar: OpId = OpId(1973);
    /// `aten::__irshift__.Tensor`
    pub const __irshift___Tensor: OpId = OpId(1974);
    /// `aten::__is__`
    pub const __is__: OpId = OpId(2761);
    /// `aten::__isnot__`
    pub const __isnot__: OpId = OpId(2762);
    /// `aten::__ixor__.Scalar`
    pub const __ixor___Scalar: OpId = OpId(1975);
    /// `aten::__ixor__.Tensor`
    pub const __ixor___Tensor: OpId = OpId(1976);
    /// `aten::__lshift__.Scalar`
    pub const __lshift___Scalar: OpId = OpId(1364);
    /// `aten::__lshift__.Scalar_out`
    pub const __lshift___Scalar_out: OpId = OpId(1366);
    /// `aten::__lshift__.Tensor`
    pub const __lshift___Tensor: OpId = OpId(1365);
    /// `aten::__lshift__.Tensor_out`
    pub const __lshift___Tensor_out: OpId = OpId(1367);
    /// `aten::__lshift__.int`
    pub const __lshift___int: OpId = OpId(2763);
    /// `aten::__not__`
    pub const __not__: OpId = OpId(2764);
    /// `aten::__or__.Scalar`
    pub const __or___Scalar: OpId = OpId(1368);
    /// `aten::__or__.Tensor`
    pub const __or___Tensor: OpId = OpId(1369);
    /// `aten::__or__.bool`
    pub const __or___bool: OpId = OpId(2765);
    /// `aten::__or__.int`
    pub const __or___int: OpId = OpId(2766);
    /// `aten::__range_length`
    pub const __range_length: OpId = OpId(2767);
    /// `aten::__round_to_zero_floordiv.int`
    pub const __round_to_zero_floordiv_int: OpId = OpId(2768);
    /// `aten::__rshift__.Scalar`
    pub const __rshift___Scalar: OpId = OpId(1370);
    /// `aten::__rshift__.Scalar_out`
    pub const __rshift___Scalar_out: OpId = OpId(1372);
    /// `aten::__rshift__.Tensor`
    pub const __rshift___Tensor: OpId = OpId(1371);
    /// `aten::__rshift__.Tensor_out`
    pub const __rshift___Tensor_out: OpId = OpId(1373);
    /// `aten::__rshift__.int`
    pub const __rshift___int: OpId = OpId(2769);
    /// `aten::__upsample`
    pub const __upsample: OpId = OpId(3370);
    /// `aten::__upsample_bilinear`
    pub const __upsample_bilinear: OpId = OpId(3372);
    /// `aten::__upsample_bilinear.scale_list`
    pub const __upsample_bilinear_scale_list: OpId = OpId(3373);
    /// `aten::__upsample_bilinear.size_list`
    pub const __upsample_bilinear_size_list: OpId = OpId(3374);
    /// `aten::__upsample_bilinear.size_list_scale_list`
    pub const __upsample_bilinear_size_list_scale_list: OpId = OpId(3375);
    /// `aten::__upsample_nearest`
    pub const __upsample_nearest: OpId = OpId(3376);
    /// `aten::__upsample_nearest.size_list`
    pub const __upsample_nearest_size_list: OpId = OpId(3377);
    /// `aten::__upsample.size_list`
    pub const __upsample_size_list: OpId = OpId(3371);
    /// `aten::__xor__.Scalar`
    pub const __xor___Scalar: OpId = OpId(1374);
    /// `aten::__xor__.Tensor`
    pub const __xor___Tensor: OpId = OpId(1375);
    /// `aten::__xor__.bool`
    pub const __xor___bool: OpId = OpId(2770);
    /// `aten::__xor__.int`
    pub const __xor___int: OpId = OpId(2771);
    /// `aten::_adaptive_avg_pool2d`
    pub const _adaptive_avg_pool2d: OpId = OpId(1983);
    /// `aten::_adaptive_avg_pool2d_backward`
    pub const _adaptive_avg_pool2d_backward: OpId = OpId(1985);
    /// `aten::_adaptive_avg_pool2d_backward.out`
    pub const _adaptive_avg_pool2d_backward_out: OpId = OpId(1986);
    /// `aten::_adaptive_avg_pool2d.out`
    pub const _adaptive_avg_pool2d_out: OpId = OpId(1984);
    /// `aten::_adaptive_avg_pool3d`
    pub const _adaptive_avg_pool3d: OpId = OpId(1987);
    /// `aten::_adaptive_avg_pool3d_backward`
    pub const _adaptive_avg_pool3d_backward: OpId = OpId(1989);
    /// `aten::_adaptive_avg_pool3d_backward.out`
    pub const _adaptive_avg_pool3d_backward_out: OpId = OpId(1990);
    /// `aten::_adaptive_avg_pool3d.out`
    pub const _adaptive_avg_pool3d_out: OpId = OpId(1988);
    /// `aten::_add_relu.Scalar`
    pub const _add_relu_Scalar: OpId = OpId(0);
    /// `aten::_add_relu.Scalar_out`
    pub const _add_relu_Scalar_out: OpId = OpId(4);
    /// `aten::_add_relu.Tensor`
    pub const _add_relu_Tensor: OpId = OpId(1);
    /// `aten::_add_relu_.Scalar`
    pub const _add_relu__Scalar: OpId = OpId(2);
    /// `aten::_add_relu_.Tensor`
    pub const _add_relu__Tensor: OpId = OpId(3);
    /// `aten::_add_relu.out`
    pub const _add_relu_out: OpId = OpId(5);
    /// `aten::_addmm_activation`
    pub const _addmm_activation: OpId = OpId(1220);
    /// `aten::_addmm_activation.out`
    pub const _addmm_activation_out: OpId = OpId(1221);
    /// `aten::_aminmax`
    pub const _aminmax: OpId = OpId(2636);
    /// `aten::_aminmax.dim`
    pub const _aminmax_dim: OpId = OpId(2637);
    /// `aten::_aminmax.dim_out`
    pub const _aminmax_dim_out: OpId = OpId(2638);
    /// `aten::_aminmax.out`
    pub const _aminmax_out: OpId = OpId(2639);
    /// `aten::_amp_foreach_non_finite_check_and_unscale`
    pub const _amp_foreach_non_finite_check_and_unscale: OpId = OpId(1304);
    /// `aten::_amp_foreach_non_finite_check_and_unscale_`
    pub const _amp_foreach_non_finite_check_and_unscale_: OpId = OpId(1306);
    /// `aten::_amp_foreach_non_finite_check_and_unscale.out`
    pub const _amp_foreach_non_finite_check_and_unscale_out: OpId = OpId(1305);
    /// `aten::_assert_async`
    pub const _assert_async: OpId = OpId(2041);
    /// `aten::_assert_async.msg`
    pub const _assert_async_msg: OpId = OpId(2042);
    /// `aten::_assert_scalar`
    pub const _assert_scalar: OpId = OpId(2043);
    /// `aten::_assert_tensor_metadata`
    pub const _assert_tensor_metadata: OpId = OpId(3292);
    /// `aten::_autocast_to_full_precision`
    pub const _autocast_to_full_precision: OpId = OpId(174);
    /// `aten::_autocast_to_reduced_precision`
    pub const _autocast_to_reduced_precision: OpId = OpId(175);
    /// `aten::_batch_norm_impl_index`
    pub const _batch_norm_impl_index: OpId = OpId(1292);
    /// `aten::_batch_norm_with_update`
    pub const _batch_norm_with_update: OpId = OpId(1293);
    /// `aten::_batch_norm_with_update_functional`
    pub const _batch_norm_with_update_functional: OpId = OpId(1303);
    /// `aten::_batch_norm_with_update.out`
    pub const _batch_norm_with_update_out: OpId = OpId(1294);
    /// `aten::_cast_Byte`
    pub const _cast_Byte: OpId = OpId(176);
    /// `aten::_cast_Char`
    pub const _cast_Char: OpId = OpId(177);
    /// `aten::_cast_Double`
    pub const _cast_Double: OpId = OpId(178);
    /// `aten::_cast_Float`
    pub const _cast_Float: OpId = OpId(142);
    /// `aten::_cast_Half`
    pub const _cast_Half: OpId = OpId(179);
    /// `aten::_cast_Int`
    pub const _cast_Int: OpId = OpId(180);
    /// `aten::_cast_Long`
    pub const _cast_Long: OpId = OpId(143);
    /// `aten::_cast_Short`
    pub const _cast_Short: OpId = OpId(181);
    /// `aten::_cdist_backward`
    pub const _cdist_backward: OpId = OpId(1222);
    /// `aten::_cdist_backward.out`
    pub const _cdist_backward_out: OpId = OpId(1223);
    /// `aten::_cdist_forward`
    pub const _cdist_forward: OpId = OpId(1163);
    /// `aten::_cdist_forward.out`
    pub const _cdist_forward_out: OpId = OpId(1164);
    /// `aten::_cholesky_solve_helper`
    pub const _cholesky_solve_helper: OpId = OpId(879);
    /// `aten::_cholesky_solve_helper.out`
    pub const _cholesky_solve_helper_out: OpId = OpId(880);
    /// `aten::_choose_qparams_per_tensor`
    pub const _choose_qparams_per_tensor: OpId = OpId(2103);
    /// `aten::_chunk_cat`
    pub const _chunk_cat: OpId = OpId(2474);
    /// `aten::_chunk_cat.out`
    pub const _chunk_cat_out: OpId = OpId(2475);
    /// `aten::_compute_linear_combination`
    pub const _compute_linear_combination: OpId = OpId(881);
    /// `aten::_compute_linear_combination.out`
    pub const _compute_linear_combination_out: OpId = OpId(882);
    /// `aten::_conj`
    pub const _conj: OpId = OpId(3523);
    /// `aten::_conj_copy`
    pub const _conj_copy: OpId = OpId(2476);
    /// `aten::_conj_copy.out`
    pub const _conj_copy_out: OpId = OpId(2477);
    /// `aten::_conj_physical`
    pub const _conj_physical: OpId = OpId(182);
    /// `aten::_conj_physical.out`
    pub const _conj_physical_out: OpId = OpId(183);
    /// `aten::_convolution`
    pub const _convolution: OpId = OpId(110);
    /// `aten::_convolution.deprecated`
    pub const _convolution_deprecated: OpId = OpId(111);
    /// `aten::_convolution_mode`
    pub const _convolution_mode: OpId = OpId(113);
    /// `aten::_convolution.out`
    pub const _convolution_out: OpId = OpId(112);
    /// `aten::_ctc_loss_backward`
    pub const _ctc_loss_backward: OpId = OpId(1134);
    /// `aten::_ctc_loss_backward.out`
    pub const _ctc_loss_backward_out: OpId = OpId(1135);
    /// `aten::_cummax_helper`
    pub const _cummax_helper: OpId = OpId(2640);
    /// `aten::_cummin_helper`
    pub const _cummin_helper: OpId = OpId(2641);
    /// `aten::_dim_arange`
    pub const _dim_arange: OpId = OpId(279);
    /// `aten::_dirichlet_grad`
    pub const _dirichlet_grad: OpId = OpId(2349);
    /// `aten::_dirichlet_grad.out`
    pub const _dirichlet_grad_out: OpId = OpId(2350);
    /// `aten::_efficientzerotensor`
    pub const _efficientzerotensor: OpId = OpId(301);
    /// `aten::_efficientzerotensor.out`
    pub const _efficientzerotensor_out: OpId = OpId(1077);
    /// `aten::_embedding_bag`
    pub const _embedding_bag: OpId = OpId(463);
    /// `aten::_embedding_bag_backward`
    pub const _embedding_bag_backward: OpId = OpId(472);
    /// `aten::_embedding_bag_forward_only`
    pub const _embedding_bag_forward_only: OpId = OpId(473);
    /// `aten::_embedding_bag_forward_only.out`
    pub const _embedding_bag_forward_only_out: OpId = OpId(474);
    /// `aten::_embedding_bag.out`
    pub const _embedding_bag_out: OpId = OpId(464);
    /// `aten::_embedding_bag_per_sample_weights_backward`
    pub const _embedding_bag_per_sample_weights_backward: OpId = OpId(475);
    /// `aten::_embedding_bag_per_sample_weights_backward.out`
    pub const _embedding_bag_per_sample_weights_backward_out: OpId = OpId(476);
    /// `aten::_empty_affine_quantized`
    pub const _empty_affine_quantized: OpId = OpId(2258);
    /// `aten::_empty_per_channel_affine_quantized`
    pub const _empty_per_channel_affine_quantized: OpId = OpId(2259);
    /// `aten::_euclidean_dist`
    pub const _euclidean_dist: OpId = OpId(1224);
    /// `aten::_euclidean_dist.out`
    pub const _euclidean_dist_out: OpId = OpId(1225);
    /// `aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams`
    pub const _fake_quantize_per_tensor_affine_cachemask_tensor_qparams: OpId = OpId(2079);
    /// `aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out`
    pub const _fake_quantize_per_tensor_affine_cachemask_tensor_qparams_out: OpId = OpId(2080);
    /// `aten::_fft_c2c`
    pub const _fft_c2c: OpId = OpId(498);
    /// `aten::_fft_c2c.out`
    pub const _fft_c2c_out: OpId = OpId(499);
    /// `aten::_fft_c2r`
    pub const _fft_c2r: OpId = OpId(481);
    /// `aten::_fft_c2r.out`
    pub const _fft_c2r_out: OpId = OpId(482);
    /// `aten::_fft_r2c`
    pub const _fft_r2c: OpId = OpId(483);
    /// `aten::_fft_r2c.out`
    pub const _fft_r2c_out: OpId = OpId(484);
    /// `aten::_foreach_abs`
    pub const _foreach_abs: OpId = OpId(561);
    /// `aten::_foreach_abs_`
    pub const _foreach_abs_: OpId = OpId(563);
    /// `aten::_foreach_abs.out`
    pub const _foreach_abs_out: OpId = OpId(562);
    /// `aten::_foreach_acos`
    pub const _foreach_acos: OpId = OpId(564);
    /// `aten::_foreach_acos_`
    pub const _foreach_acos_: OpId = OpId(566);
    /// `aten::_foreach_acos.out`
    pub const _foreach_acos_out: OpId = OpId(565);
    /// `aten::_foreach_add.List`
    pub const _foreach_add_List: OpId = OpId(567);
    /// `aten::_foreach_add.List_out`
    pub const _foreach_add_List_out: OpId = OpId(571);
    /// `aten::_foreach_add.Scalar`
    pub const _foreach_add_Scalar: OpId = OpId(568);
    /// `aten::_foreach_add.ScalarList`
    pub const _foreach_add_ScalarList: OpId = OpId(569);
    /// `aten::_foreach_add.ScalarList_out`
    pub const _foreach_add_ScalarList_out: OpId = OpId(572);
    /// `aten::_foreach_add.Scalar_out`
    pub const _foreach_add_Scalar_out: OpId = OpId(573);
    /// `aten::_foreach_add.Tensor`
    pub const _foreach_add_Tensor: OpId = OpId(570);
    /// `aten::_foreach_add.Tensor_out`
    pub const _foreach_add_Tensor_out: OpId = OpId(574);
    /// `aten::_foreach_add_.List`
    pub const _foreach_add__List: OpId = OpId(575);
    /// `aten::_foreach_add_.Scalar`
    pub const _foreach_add__Scalar: OpId = OpId(576);
    /// `aten::_foreach_add_.ScalarList`
    pub const _foreach_add__ScalarList: OpId = OpId(577);
    /// `aten::_foreach_add_.Tensor`
    pub const _foreach_add__Tensor: OpId = OpId(578);
    /// `aten::_foreach_addcdiv.Scalar`
    pub const _foreach_addcdiv_Scalar: OpId = OpId(579);
    /// `aten::_foreach_addcdiv.ScalarList`
    pub const _foreach_addcdiv_ScalarList: OpId = OpId(580);
    /// `aten::_foreach_addcdiv.ScalarList_out`
    pub const _foreach_addcdiv_ScalarList_out: OpId = OpId(582);
    /// `aten::_foreach_addcdiv.Scalar_out`
    pub const _foreach_addcdiv_Scalar_out: OpId = OpId(583);
    /// `aten::_foreach_addcdiv.Tensor`
    pub const _foreach_addcdiv_Tensor: OpId = OpId(581);
    /// `aten::_foreach_addcdiv.Tensor_out`
    pub const _foreach_addcdiv_Tensor_out: OpId = OpId(584);
    /// `aten::_foreach_addcdiv_.Scalar`
    pub const _foreach_addcdiv__Scalar: OpId = OpId(585);
    /// `aten::_foreach_addcdiv_.ScalarList`
    pub const _foreach_addcdiv__ScalarList: OpId = OpId(586);
    /// `aten::_foreach_addcdiv_.Tensor`
    pub const _foreach_addcdiv__Tensor: OpId = OpId(587);
    /// `aten::_foreach_addcmul.Scalar`
    pub const _foreach_addcmul_Scalar: OpId = OpId(588);
    /// `aten::_foreach_addcmul.ScalarList`
    pub const _foreach_addcmul_ScalarList: OpId = OpId(589);
    /// `aten::_foreach_addcmul.ScalarList_out`
    pub const _foreach_addcmul_ScalarList_out: OpId = OpId(591);
    /// `aten::_foreach_addcmul.Scalar_out`
    pub const _foreach_addcmul_Scalar_out: OpId = OpId(592);
    /// `aten::_foreach_addcmul.Tensor`
    pub const _foreach_addcmul_Tensor: OpId = OpId(590);
    /// `aten::_foreach_addcmul.Tensor_out`
    pub const _foreach_addcmul_Tensor_out: OpId = OpId(593);
    /// `aten::_foreach_addcmul_.Scalar`
    pub const _foreach_addcmul__Scalar: OpId = OpId(594);
    /// `aten::_foreach_addcmul_.ScalarList`
    pub const _foreach_addcmul__ScalarList: OpId = OpId(595);
    /// `aten::_foreach_addcmul_.Tensor`
    pub const _foreach_addcmul__Tensor: OpId = OpId(596);
    /// `aten::_foreach_asin`
    pub const _foreach_asin: OpId = OpId(597);
    /// `aten::_foreach_asin_`
    pub const _foreach_asin_: OpId = OpId(599);
    /// `aten::_foreach_asin.out`
    pub const _foreach_asin_out: OpId = OpId(598);
    /// `aten::_foreach_atan`
    pub const _foreach_atan: OpId = OpId(600);
    /// `aten::_foreach_atan_`
    pub const _foreach_atan_: OpId = OpId(602);
    /// `aten::_foreach_atan.out`
    pub const _foreach_atan_out: OpId = OpId(601);
    /// `aten::_foreach_ceil`
    pub const _foreach_ceil: OpId = OpId(603);
    /// `aten::_foreach_ceil_`
    pub const _foreach_ceil_: OpId = OpId(605);
    /// `aten::_foreach_ceil.out`
    pub const _foreach_ceil_out: OpId = OpId(604);
    /// `aten::_foreach_clamp_max.List`
    pub const _foreach_clamp_max_List: OpId = OpId(606);
    /// `aten::_foreach_clamp_max.List_out`
    pub const _foreach_clamp_max_List_out: OpId = OpId(609);
    /// `aten::_foreach_clamp_max.Scalar`
    pub const _foreach_clamp_max_Scalar: OpId = OpId(607);
    /// `aten::_foreach_clamp_max.ScalarList`
    pub const _foreach_clamp_max_ScalarList: OpId = OpId(608);
    /// `aten::_foreach_clamp_max.ScalarList_out`
    pub const _foreach_clamp_max_ScalarList_out: OpId = OpId(610);
    /// `aten::_foreach_clamp_max.Scalar_out`
    pub const _foreach_clamp_max_Scalar_out: OpId = OpId(611);
    /// `aten::_foreach_clamp_max_.List`
    pub const _foreach_clamp_max__List: OpId = OpId(612);
    /// `aten::_foreach_clamp_max_.Scalar`
    pub const _foreach_clamp_max__Scalar: OpId = OpId(613);
    /// `aten::_foreach_clamp_max_.ScalarList`
    pub const _foreach_clamp_max__ScalarList: OpId = OpId(614);
    /// `aten::_foreach_clamp_min.List`
    pub const _foreach_clamp_min_List: OpId = OpId(615);
    /// `aten::_foreach_clamp_min.List_out`
    pub const _foreach_clamp_min_List_out: OpId = OpId(618);
    /// `aten::_foreach_clamp_min.Scalar`
    pub const _foreach_clamp_min_Scalar: OpId = OpId(616);
    /// `aten::_foreach_clamp_min.ScalarList`
    pub const _foreach_clamp_min_ScalarList: OpId = OpId(617);
    /// `aten::_foreach_clamp_min.ScalarList_out`
    pub const _foreach_clamp_min_ScalarList_out: OpId = OpId(619);
    /// `aten::_foreach_clamp_min.Scalar_out`
    pub const _foreach_clamp_min_Scalar_out: OpId = OpId(620);
    /// `aten::_foreach_clamp_min_.List`
    pub const _foreach_clamp_min__List: OpId = OpId(621);
    /// `aten::_foreach_clamp_min_.Scalar`
    pub const _foreach_clamp_min__Scalar: OpId = OpId(622);
    /// `aten::_foreach_clamp_min_.ScalarList`
    pub const _foreach_clamp_min__ScalarList: OpId = OpId(623);
    /// `aten::_foreach_clone`
    pub const _foreach_clone: OpId = OpId(624);
    /// `aten::_foreach_clone.out`
    pub const _foreach_clone_out: OpId = OpId(625);
    /// `aten::_foreach_copy`
    pub const _foreach_copy: OpId = OpId(626);
    /// `aten::_foreach_copy_`
    pub const _foreach_copy_: OpId = OpId(628);
    /// `aten::_foreach_copy.out`
    pub const _foreach_copy_out: OpId = OpId(627);
    /// `aten::_foreach_cos`
    pub const _foreach_cos: OpId = OpId(629);
    /// `aten::_foreach_cos_`
    pub const _foreach_cos_: OpId = OpId(631);
    /// `aten::_foreach_cos.out`
    pub const _foreach_cos_out: OpId = OpId(630);
    /// `aten::_foreach_cosh`
    pub const _foreach_cosh: OpId = OpId(632);
    /// `aten::_foreach_cosh_`
    pub const _foreach_cosh_: OpId = OpId(634);
    /// `aten::_foreach_cosh.out`
    pub const _foreach_cosh_out: OpId = OpId(633);
    /// `aten::_foreach_div.List`
    pub const _foreach_div_List: OpId = OpId(635);
    /// `aten::_foreach_div.List_out`
    pub const _foreach_div_List_out: OpId = OpId(639);
    /// `aten::_foreach_div.Scalar`
    pub const _foreach_div_Scalar: OpId = OpId(636);
    /// `aten::_foreach_div.ScalarList`
    pub const _foreach_div_ScalarList: OpId = OpId(637);
    /// `aten::_foreach_div.ScalarList_out`
    pub const _foreach_div_ScalarList_out: OpId = OpId(640);
    /// `aten::_foreach_div.Scalar_out`
    pub const _foreach_div_Scalar_out: OpId = OpId(641);
    /// `aten::_foreach_div.Tensor`
    pub const _foreach_div_Tensor: OpId = OpId(638);
    /// `aten::_foreach_div.Tensor_out`
    pub const _foreach_div_Tensor_out: OpId = OpId(642);
    /// `aten::_foreach_div_.List`
    pub const _foreach_div__List: OpId = OpId(643);
    /// `aten::_foreach_div_.Scalar`
    pub const _foreach_div__Scalar: OpId = OpId(644);
    /// `aten::_foreach_div_.ScalarList`
    pub const _foreach_div__ScalarList: OpId = OpId(645);
    /// `aten::_foreach_div_.Tensor`
    pub const _foreach_div__Tensor: OpId = OpId(646);
    /// `aten::_foreach_erf`
    pub const _foreach_erf: OpId = OpId(647);
    /// `aten::_foreach_erf_`
    pub const _foreach_erf_: OpId = OpId(649);
    /// `aten::_foreach_erf.out`
    pub const _foreach_erf_out: OpId = OpId(648);
    /// `aten::_foreach_erfc`
    pub const _foreach_erfc: OpId = OpId(650);
    /// `aten::_foreach_erfc_`
    pub const _foreach_erfc_: OpId = OpId(652);
    /// `aten::_foreach_erfc.out`
    pub const _foreach_erfc_out: OpId = OpId(651);
    /// `aten::_foreach_exp`
    pub const _foreach_exp: OpId = OpId(653);
    /// `aten::_foreach_exp_`
    pub const _foreach_exp_: OpId = OpId(655);
    /// `aten::_foreach_exp.out`
    pub const _foreach_exp_out: OpId = OpId(654);
    /// `aten::_foreach_expm1`
    pub const _foreach_expm1: OpId = OpId(656);
    /// `aten::_foreach_expm1_`
    pub const _foreach_expm1_: OpId = OpId(658);
    /// `aten::_foreach_expm1.out`
    pub const _foreach_expm1_out: OpId = OpId(657);
    /// `aten::_foreach_floor`
    pub const _foreach_floor: OpId = OpId(659);
    /// `aten::_foreach_floor_`
    pub const _foreach_floor_: OpId = OpId(661);
    /// `aten::_foreach_floor.out`
    pub const _foreach_floor_out: OpId = OpId(660);
    /// `aten::_foreach_frac`
    pub const _foreach_frac: OpId = OpId(662);
    /// `aten::_foreach_frac_`
    pub const _foreach_frac_: OpId = OpId(664);
    /// `aten::_foreach_frac.out`
    pub const _foreach_frac_out: OpId = OpId(663);
    /// `aten::_foreach_lerp.List`
    pub const _foreach_lerp_List: OpId = OpId(665);
    /// `aten::_foreach_lerp.List_out`
    pub const _foreach_lerp_List_out: OpId = OpId(668);
    /// `aten::_foreach_lerp.Scalar`
    pub const _foreach_lerp_Scalar: OpId = OpId(666);
    /// `aten::_foreach_lerp.ScalarList`
    pub const _foreach_lerp_ScalarList: OpId = OpId(667);
    /// `aten::_foreach_lerp.ScalarList_out`
    pub const _foreach_lerp_ScalarList_out: OpId = OpId(669);
    /// `aten::_foreach_lerp.Scalar_out`
    pub const _foreach_lerp_Scalar_out: OpId = OpId(670);
    /// `aten::_foreach_lerp_.List`
    pub const _foreach_lerp__List: OpId = OpId(671);
    /// `aten::_foreach_lerp_.Scalar`
    pub const _foreach_lerp__Scalar: OpId = OpId(672);
    /// `aten::_foreach_lerp_.ScalarList`
    pub const _foreach_lerp__ScalarList: OpId = OpId(673);
    /// `aten::_foreach_lgamma`
    pub const _foreach_lgamma: OpId = OpId(674);
    /// `aten::_foreach_lgamma_`
    pub const _foreach_lgamma_: OpId = OpId(676);
    /// `aten::_foreach_lgamma.out`
    pub const _foreach_lgamma_out: OpId = OpId(675);
    /// `aten::_foreach_log`
    pub const _foreach_log: OpId = OpId(677);
    /// `aten::_foreach_log10`
    pub const _foreach_log10: OpId = OpId(680);
    /// `aten::_foreach_log10_`
    pub const _foreach_log10_: OpId = OpId(682);
    /// `aten::_foreach_log10.out`
    pub const _foreach_log10_out: OpId = OpId(681);
    /// `aten::_foreach_log1p`
    pub const _foreach_log1p: OpId = OpId(683);
    /// `aten::_foreach_log1p_`
    pub const _foreach_log1p_: OpId = OpId(685);
    /// `aten::_foreach_log1p.out`
    pub const _foreach_log1p_out: OpId = OpId(684);
    /// `aten::_foreach_log2`
    pub const _foreach_log2: OpId = OpId(686);
    /// `aten::_foreach_log2_`
    pub const _foreach_log2_: OpId = OpId(688);
    /// `aten::_foreach_log2.out`
    pub const _foreach_log2_out: OpId = OpId(687);
    /// `aten::_foreach_log_`
    pub const _foreach_log_: OpId = OpId(679);
    /// `aten::_foreach_log.out`
    pub const _foreach_log_out: OpId = OpId(678);
    /// `aten::_foreach_max`
    pub const _foreach_max: OpId = OpId(689);
    /// `aten::_foreach_max.out`
    pub const _foreach_max_out: OpId = OpId(690);
    /// `aten::_foreach_maximum.List`
    pub const _foreach_maximum_List: OpId = OpId(691);
    /// `aten::_foreach_maximum.List_out`
    pub const _foreach_maximum_List_out: OpId = OpId(694);
    /// `aten::_foreach_maximum.Scalar`
    pub const _foreach_maximum_Scalar: OpId = OpId(692);
    /// `aten::_foreach_maximum.ScalarList`
    pub const _foreach_maximum_ScalarList: OpId = OpId(693);
    /// `aten::_foreach_maximum.ScalarList_out`
    pub const _foreach_maximum_ScalarList_out: OpId = OpId(695);
    /// `aten::_foreach_maximum.Scalar_out`
    pub const _foreach_maximum_Scalar_out: OpId = OpId(696);
    /// `aten::_foreach_maximum_.List`
    pub const _foreach_maximum__List: OpId = OpId(697);
    /// `aten::_foreach_maximum_.Scalar`
    pub const _foreach_maximum__Scalar: OpId = OpId(698);
    /// `aten::_foreach_maximum_.ScalarList`
    pub const _foreach_maximum__ScalarList: OpId = OpId(699);
    /// `aten::_foreach_minimum.List`
    pub const _foreach_minimum_List: OpId = OpId(700);
    /// `aten::_foreach_minimum.List_out`
    pub const _foreach_minimum_List_out: OpId = OpId(703);
    /// `aten::_foreach_minimum.Scalar`
    pub const _foreach_minimum_Scalar: OpId = OpId(701);
    /// `aten::_foreach_minimum.ScalarList`
    pub const _foreach_minimum_ScalarList: OpId = OpId(702);
    /// `aten::_foreach_minimum.ScalarList_out`
    pub const _foreach_minimum_ScalarList_out: OpId = OpId(704);
    /// `aten::_foreach_minimum.Scalar_out`
    pub const _foreach_minimum_Scalar_out: OpId = OpId(705);
    /// `aten::_foreach_minimum_.List`
    pub const _foreach_minimum__List: OpId = OpId(706);
    /// `aten::_foreach_minimum_.Scalar`
    pub const _foreach_minimum__Scalar: OpId = OpId(707);
    /// `aten::_foreach_minimum_.ScalarList`
    pub const _foreach_minimum__ScalarList: OpId = OpId(708);
    /// `aten::_foreach_mm`
    pub const _foreach_mm: OpId = OpId(709);
    /// `aten::_foreach_mul.List`
    pub const _foreach_mul_List: OpId = OpId(710);
    /// `aten::_foreach_mul.List_out`
    pub const _foreach_mul_List_out: OpId = OpId(714);
    /// `aten::_foreach_mul.Scalar`
    pub const _foreach_mul_Scalar: OpId = OpId(711);
    /// `aten::_foreach_mul.ScalarList`
    pub const _foreach_mul_ScalarList: OpId = OpId(712);
    /// `aten::_foreach_mul.ScalarList_out`
    pub const _foreach_mul_ScalarList_out: OpId = OpId(715);
    /// `aten::_foreach_mul.Scalar_out`
    pub const _foreach_mul_Scalar_out: OpId = OpId(716);
    /// `aten::_foreach_mul.Tensor`
    pub const _foreach_mul_Tensor: OpId = OpId(713);
    /// `aten::_foreach_mul.Tensor_out`
    pub const _foreach_mul_Tensor_out: OpId = OpId(717);
    /// `aten::_foreach_mul_.List`
    pub const _foreach_mul__List: OpId = OpId(718);
    /// `aten::_foreach_mul_.Scalar`
    pub const _foreach_mul__Scalar: OpId = OpId(719);
    /// `aten::_foreach_mul_.ScalarList`
    pub const _foreach_mul__ScalarList: OpId = OpId(720);
    /// `aten::_foreach_mul_.Tensor`
    pub const _foreach_mul__Tensor: OpId = OpId(721);
    /// `aten::_foreach_neg`
    pub const _foreach_neg: OpId = OpId(722);
    /// `aten::_foreach_neg_`
    pub const _foreach_neg_: OpId = OpId(724);
    /// `aten::_foreach_neg.out`
    pub const _foreach_neg_out: OpId = OpId(723);
    /// `aten::_foreach_norm.Scalar`
    pub const _foreach_norm_Scalar: OpId = OpId(725);
    /// `aten::_foreach_norm.Scalar_out`
    pub const _foreach_norm_Scalar_out: OpId = OpId(726);
    /// `aten::_foreach_pow.List`
    pub const _foreach_pow_List: OpId = OpId(727);
    /// `aten::_foreach_pow.List_out`
    pub const _foreach_pow_List_out: OpId = OpId(731);
    /// `aten::_foreach_pow.Scalar`
    pub const _foreach_pow_Scalar: OpId = OpId(728);
    /// `aten::_foreach_pow.ScalarAndTensor`
    pub const _foreach_pow_ScalarAndTensor: OpId = OpId(729);
    /// `aten::_foreach_pow.ScalarList`
    pub const _foreach_pow_ScalarList: OpId = OpId(730);
    /// `aten::_foreach_pow.ScalarList_out`
    pub const _foreach_pow_ScalarList_out: OpId = OpId(732);
    /// `aten::_foreach_pow.Scalar_out`
    pub const _foreach_pow_Scalar_out: OpId = OpId(733);
    /// `aten::_foreach_pow_.List`
    pub const _foreach_pow__List: OpId = OpId(734);
    /// `aten::_foreach_pow_.Scalar`
    pub const _foreach_pow__Scalar: OpId = OpId(735);
    /// `aten::_foreach_pow_.ScalarList`
    pub const _foreach_pow__ScalarList: OpId = OpId(736);
    /// `aten::_foreach_powsum.Scalar`
    pub const _foreach_powsum_Scalar: OpId = OpId(737);
    /// `aten::_foreach_powsum.Scalar_out`
    pub const _foreach_powsum_Scalar_out: OpId = OpId(738);
    /// `aten::_foreach_reciprocal`
    pub const _foreach_reciprocal: OpId = OpId(739);
    /// `aten::_foreach_reciprocal_`
    pub const _foreach_reciprocal_: OpId = OpId(741);
    /// `aten::_foreach_reciprocal.out`
    pub const _foreach_reciprocal_out: OpId = OpId(740);
    /// `aten::_foreach_round`
    pub const _foreach_round: OpId = OpId(742);
    /// `aten::_foreach_round_`
    pub const _foreach_round_: OpId = OpId(744);
    /// `aten::_foreach_round.out`
    pub const _foreach_round_out: OpId = OpId(743);
    /// `aten::_foreach_rsqrt`
    pub const _foreach_rsqrt: OpId = OpId(745);
    /// `aten::_foreach_rsqrt_`
    pub const _foreach_rsqrt_: OpId = OpId(747);
    /// `aten::_foreach_rsqrt.out`
    pub const _foreach_rsqrt_out: OpId = OpId(746);
    /// `aten::_foreach_sigmoid`
    pub const _foreach_sigmoid: OpId = OpId(748);
    /// `aten::_foreach_sigmoid_`
    pub const _foreach_sigmoid_: OpId = OpId(750);
    /// `aten::_foreach_sigmoid.out`
    pub const _foreach_sigmoid_out: OpId = OpId(749);
    /// `aten::_foreach_sign`
    pub const _foreach_sign: OpId = OpId(751);
    /// `aten::_foreach_sign_`
    pub const _foreach_sign_: OpId = OpId(753);
    /// `aten::_foreach_sign.out`
    pub const _foreach_sign_out: OpId = OpId(752);
    /// `aten::_foreach_sin`
    pub const _foreach_sin: OpId = OpId(754);
    /// `aten::_foreach_sin_`
    pub const _foreach_sin_: OpId = OpId(756);
    /// `aten::_foreach_sin.out`
    pub const _foreach_sin_out: OpId = OpId(755);
    /// `aten::_foreach_sinh`
    pub const _foreach_sinh: OpId = OpId(757);
    /// `aten::_foreach_sinh_`
    pub const _foreach_sinh_: OpId = OpId(759);
    /// `aten::_foreach_sinh.out`
    pub const _foreach_sinh_out: OpId = OpId(758);
    /// `aten::_foreach_sqrt`
    pub const _foreach_sqrt: OpId = OpId(760);
    /// `aten::_foreach_sqrt_`
    pub const _foreach_sqrt_: OpId = OpId(762);
    /// `aten::_foreach_sqrt.out`
    pub const _foreach_sqrt_out: OpId = OpId(761);
    /// `aten::_foreach_sub.List`
    pub const _foreach_sub_List: OpId = OpId(763);
    /// `aten::_foreach_sub.List_out`
    pub const _foreach_sub_List_out: OpId = OpId(766);
    /// `aten::_foreach_sub.Scalar`
    pub const _foreach_sub_Scalar: OpId = OpId(764);
    /// `aten::_foreach_sub.ScalarList`
    pub const _foreach_sub_ScalarList: OpId = OpId(765);
    /// `aten::_foreach_sub.ScalarList_out`
    pub const _foreach_sub_ScalarList_out: OpId = OpId(767);
    /// `aten::_foreach_sub.Scalar_out`
    pub const _foreach_sub_Scalar_out: OpId = OpId(768);
    /// `aten::_foreach_sub_.List`
    pub const _foreach_sub__List: OpId = OpId(769);
    /// `aten::_foreach_sub_.Scalar`
    pub const _foreach_sub__Scalar: OpId = OpId(770);
    /// `aten::_foreach_sub_.ScalarList`
    pub const _foreach_sub__ScalarList: OpId = OpId(771);
    /// `aten::_foreach_tan`
    pub const _foreach_tan: OpId = OpId(772);
    /// `aten::_foreach_tan_`
    pub const _foreach_tan_: OpId = OpId(774);
    /// `aten::_foreach_tan.out`
    pub const _foreach_tan_out: OpId = OpId(773);
    /// `aten::_foreach_tanh`
    pub const _foreach_tanh: OpId = OpId(775);
    /// `aten::_foreach_tanh_`
    pub const _foreach_tanh_: OpId = OpId(777);
    /// `aten::_foreach_tanh.out`
    pub const _foreach_tanh_out: OpId = OpId(776);
    /// `aten::_foreach_trunc`
    pub const _foreach_trunc: OpId = OpId(778);
    /// `aten::_foreach_trunc_`
    pub const _foreach_trunc_: OpId = OpId(780);
    /// `aten::_foreach_trunc.out`
    pub const _foreach_trunc_out: OpId = OpId(779);
    /// `aten::_foreach_zero`
    pub const _foreach_zero: OpId = OpId(781);
    /// `aten::_foreach_zero_`
    pub const _foreach_zero_: OpId = OpId(783);
    /// `aten::_foreach_zero.out`
    pub const _foreach_zero_out: OpId = OpId(782);
    /// `aten::_fused_adagrad`
    pub const _fused_adagrad: OpId = OpId(1307);
    /// `aten::_fused_adagrad_`
    pub const _fused_adagrad_: OpId = OpId(1311);
    /// `aten::_fused_adagrad_.tensor_lr`
    pub const _fused_adagrad__tensor_lr: OpId = OpId(1312);
    /// `aten::_fused_adagrad.out`
    pub const _fused_adagrad_out: OpId = OpId(1308);
    /// `aten::_fused_adagrad.tensor_lr`
    pub const _fused_adagrad_tensor_lr: OpId = OpId(1309);
    /// `aten::_fused_adagrad.tensor_lr_out`
    pub const _fused_adagrad_tensor_lr_out: OpId = OpId(1310);
    /// `aten::_fused_adam`
    pub const _fused_adam: OpId = OpId(1313);
    /// `aten::_fused_adam_`
    pub const _fused_adam_: OpId = OpId(1317);
    /// `aten::_fused_adam_.tensor_lr`
    pub const _fused_adam__tensor_lr: OpId = OpId(1318);
    /// `aten::_fused_adam.out`
    pub const _fused_adam_out: OpId = OpId(1314);
    /// `aten::_fused_adam.tensor_lr`
    pub const _fused_adam_tensor_lr: OpId = OpId(1315);
    /// `aten::_fused_adam.tensor_lr_out`
    pub const _fused_adam_tensor_lr_out: OpId = OpId(1316);
    /// `aten::_fused_adamw`
    pub const _fused_adamw: OpId = OpId(1319);
    /// `aten::_fused_adamw_`
    pub const _fused_adamw_: OpId = OpId(1323);
    /// `aten::_fused_adamw_.tensor_lr`
    pub const _fused_adamw__tensor_lr: OpId = OpId(1324);
    /// `aten::_fused_adamw.out`
    pub const _fused_adamw_out: OpId = OpId(1320);
    /// `aten::_fused_adamw.tensor_lr`
    pub const _fused_adamw_tensor_lr: OpId = OpId(1321);
    /// `aten::_fused_adamw.tensor_lr_out`
    pub const _fused_adamw_tensor_lr_out: OpId = OpId(1322);
    /// `aten::_fused_rms_norm`
    pub const _fused_rms_norm: OpId = OpId(1295);
    /// `aten::_fused_sdp_choice`
    pub const _fused_sdp_choice: OpId = OpId(1226);
    /// `aten::_fused_sgd`
    pub const _fused_sgd: OpId = OpId(1325);
    /// `aten::_fused_sgd_`
    pub const _fused_sgd_: OpId = OpId(1329);
    /// `aten::_fused_sgd_.tensor_lr`
    pub const _fused_sgd__tensor_lr: OpId = OpId(1330);
    /// `aten::_fused_sgd.out`
    pub const _fused_sgd_out: OpId = OpId(1326);
    /// `aten::_fused_sgd.tensor_lr`
    pub const _fused_sgd_tensor_lr: OpId = OpId(1327);
    /// `aten::_fused_sgd.tensor_lr_out`
    pub const _fused_sgd_tensor_lr_out: OpId = OpId(1328);
    /// `aten::_grad_sum_to_size`
    pub const _grad_sum_to_size: OpId = OpId(2642);
    /// `aten::_grouped_mm`
    pub const _grouped_mm: OpId = OpId(1165);
    /// `aten::_histogramdd_bin_edges`
    pub const _histogramdd_bin_edges: OpId = OpId(2643);
    /// `aten::_histogramdd_bin_edges.out`
    pub const _histogramdd_bin_edges_out: OpId = OpId(2644);
    /// `aten::_histogramdd_from_bin_cts`
    pub const _histogramdd_from_bin_cts: OpId = OpId(2645);
    /// `aten::_histogramdd_from_bin_cts.out`
    pub const _histogramdd_from_bin_cts_out: OpId = OpId(2646);
    /// `aten::_histogramdd_from_bin_tensors`
    pub const _histogramdd_from_bin_tensors: OpId = OpId(2647);
    /// `aten::_histogramdd_from_bin_tensors.out`
    pub const _histogramdd_from_bin_tensors_out: OpId = OpId(2648);
    /// `aten::_index_put_impl`
    pub const _index_put_impl: OpId = OpId(784);
    /// `aten::_index_put_impl_`
    pub const _index_put_impl_: OpId = OpId(785);
    /// `aten::_index_put_impl_.hacked_twin`
    pub const _index_put_impl__hacked_twin: OpId = OpId(856);
    /// `aten::_index_put_impl.out`
    pub const _index_put_impl_out: OpId = OpId(786);
    /// `aten::_infer_size`
    pub const _infer_size: OpId = OpId(1078);
    /// `aten::_int_mm`
    pub const _int_mm: OpId = OpId(1166);
    /// `aten::_int_mm.out`
    pub const _int_mm_out: OpId = OpId(1167);
    /// `aten::_is_all_true`
    pub const _is_all_true: OpId = OpId(2649);
    /// `aten::_is_any_true`
    pub const _is_any_true: OpId = OpId(2650);
    /// `aten::_is_zerotensor`
    pub const _is_zerotensor: OpId = OpId(3328);
    /// `aten::_linalg_check_errors`
    pub const _linalg_check_errors: OpId = OpId(883);
    /// `aten::_linalg_det`
    pub const _linalg_det: OpId = OpId(858);
    /// `aten::_linalg_det.result`
    pub const _linalg_det_result: OpId = OpId(884);
    /// `aten::_linalg_eigh`
    pub const _linalg_eigh: OpId = OpId(885);
    /// `aten::_linalg_eigh.eigenvalues`
    pub const _linalg_eigh_eigenvalues: OpId = OpId(886);
    /// `aten::_linalg_eigvals`
    pub const _linalg_eigvals: OpId = OpId(887);
    /// `aten::_linalg_slogdet`
    pub const _linalg_slogdet: OpId = OpId(888);
    /// `aten::_linalg_slogdet.sign`
    pub const _linalg_slogdet_sign: OpId = OpId(889);
    /// `aten::_linalg_solve_ex`
    pub const _linalg_solve_ex: OpId = OpId(890);
    /// `aten::_linalg_solve_ex.result`
    pub const _linalg_solve_ex_result: OpId = OpId(891);
    /// `aten::_linalg_svd`
    pub const _linalg_svd: OpId = OpId(892);
    /// `aten::_linalg_svd.U`
    pub const _linalg_svd_U: OpId = OpId(893);
    /// `aten::_list_to_tensor`
    pub const _list_to_tensor: OpId = OpId(1079);
    /// `aten::_local_scalar_dense`
    pub const _local_scalar_dense: OpId = OpId(2772);
    /// `aten::_log_softmax`
    pub const _log_softmax: OpId = OpId(6);
    /// `aten::_log_softmax_backward_data`
    pub const _log_softmax_backward_data: OpId = OpId(8);
    /// `aten::_log_softmax_backward_data.out`
    pub const _log_softmax_backward_data_out: OpId = OpId(9);
    /// `aten::_log_softmax.out`
    pub const _log_softmax_out: OpId = OpId(7);
    /// `aten::_logcumsumexp`
    pub const _logcumsumexp: OpId = OpId(2651);
    /// `aten::_logcumsumexp.out`
    pub const _logcumsumexp_out: OpId = OpId(2652);
    /// `aten::_lu_with_info`
    pub const _lu_with_info: OpId = OpId(894);
    /// `aten::_make_per_channel_quantized_tensor`
    pub const _make_per_channel_quantized_tensor: OpId = OpId(2081);
    /// `aten::_make_per_channel_quantized_tensor.out`
    pub const _make_per_channel_quantized_tensor_out: OpId = OpId(2082);
    /// `aten::_make_per_tensor_quantized_tensor`
    pub const _make_per_tensor_quantized_tensor: OpId = OpId(2083);
    /// `aten::_make_per_tensor_quantized_tensor.out`
    pub const _make_per_tensor_quantized_tensor_out: OpId = OpId(2084);
    /// `aten::_masked_softmax`
    pub const _masked_softmax: OpId = OpId(88);
    /// `aten::_masked_softmax.out`
    pub const _masked_softmax_out: OpId = OpId(89);
    /// `aten::_native_batch_norm_legit`
    pub const _native_batch_norm_legit: OpId = OpId(1263);
    /// `aten::_native_batch_norm_legit_functional`
    pub const _native_batch_norm_legit_functional: OpId = OpId(1297);
    /// `aten::_native_batch_norm_legit.no_stats`
    pub const _native_batch_norm_legit_no_stats: OpId = OpId(1264);
    /// `aten::_native_batch_norm_legit.no_stats_out`
    pub const _native_batch_norm_legit_no_stats_out: OpId = OpId(1265);
    /// `aten::_native_batch_norm_legit_no_training`
    pub const _native_batch_norm_legit_no_training: OpId = OpId(1266);
    /// `aten::_native_batch_norm_legit_no_training.out`
    pub const _native_batch_norm_legit_no_training_out: OpId = OpId(1267);
    /// `aten::_native_batch_norm_legit.out`
    pub const _native_batch_norm_legit_out: OpId = OpId(1296);
    /// `aten::_native_multi_head_attention`
    pub const _native_multi_head_attention: OpId = OpId(1168);
    /// `aten::_native_multi_head_attention.out`
    pub const _native_multi_head_attention_out: OpId = OpId(1169);
    /// `aten::_ncf_view`
    pub const _ncf_view: OpId = OpId(3524);
    /// `aten::_neg_view`
    pub const _neg_view: OpId = OpId(3525);
    /// `aten::_neg_view_copy`
    pub const _neg_view_copy: OpId = OpId(2478);
    /// `aten::_neg_view_copy.out`
    pub const _neg_view_copy_out: OpId = OpId(2479);
    /// `aten::_nested_tensor_from_mask`
    pub const _nested_tensor_from_mask: OpId = OpId(2480);
    /// `aten::_nested_tensor_from_mask_left_aligned`
    pub const _nested_tensor_from_mask_left_aligned: OpId = OpId(2481);
    /// `aten::_new_zeros_with_same_feature_meta`
    pub const _new_zeros_with_same_feature_meta: OpId = OpId(280);
    /// `aten::_new_zeros_with_same_feature_meta.out`
    pub const _new_zeros_with_same_feature_meta_out: OpId = OpId(281);
    /// `aten::_no_grad_embedding_renorm_`
    pub const _no_grad_embedding_renorm_: OpId = OpId(480);
    /// `aten::_no_grad_fill_`
    pub const _no_grad_fill_: OpId = OpId(282);
    /// `aten::_no_grad_zero_`
    pub const _no_grad_zero_: OpId = OpId(283);
    /// `aten::_pack_padded_sequence`
    pub const _pack_padded_sequence: OpId = OpId(2483);
    /// `aten::_pack_padded_sequence.out`
    pub const _pack_padded_sequence_out: OpId = OpId(2484);
    /// `aten::_pack_sequence`
    pub const _pack_sequence: OpId = OpId(2485);
    /// `aten::_pad_circular`
    pub const _pad_circular: OpId = OpId(1346);
    /// `aten::_pad_enum`
    pub const _pad_enum: OpId = OpId(1347);
    /// `aten::_pad_packed_sequence`
    pub const _pad_packed_sequence: OpId = OpId(2486);
    /// `aten::_pdist_backward`
    pub const _pdist_backward: OpId = OpId(1227);
    /// `aten::_pdist_backward.out`
    pub const _pdist_backward_out: OpId = OpId(1228);
    /// `aten::_pdist_forward`
    pub const _pdist_forward: OpId = OpId(1170);
    /// `aten::_pdist_forward.out`
    pub const _pdist_forward_out: OpId = OpId(1171);
    /// `aten::_prelu_kernel`
    pub const _prelu_kernel: OpId = OpId(90);
    /// `aten::_prelu_kernel_backward`
    pub const _prelu_kernel_backward: OpId = OpId(91);
    /// `aten::_remove_batch_dim`
    pub const _remove_batch_dim: OpId = OpId(3526);
    /// `aten::_reshape_alias`
    pub const _reshape_alias: OpId = OpId(3460);
    /// `aten::_reshape_alias_copy`
    pub const _reshape_alias_copy: OpId = OpId(2391);
    /// `aten::_reshape_alias_copy.out`
    pub const _reshape_alias_copy_out: OpId = OpId(2392);
    /// `aten::_reshape_copy`
    pub const _reshape_copy: OpId = OpId(2487);
    /// `aten::_safe_softmax`
    pub const _safe_softmax: OpId = OpId(10);
    /// `aten::_sample_dirichlet`
    pub const _sample_dirichlet: OpId = OpId(2351);
    /// `aten::_sample_dirichlet.out`
    pub const _sample_dirichlet_out: OpId = OpId(2352);
    /// `aten::_saturate_weight_to_fp16`
    pub const _saturate_weight_to_fp16: OpId = OpId(184);
    /// `aten::_scaled_dot_product_attention_math`
    pub const _scaled_dot_product_attention_math: OpId = OpId(1229);
    /// `aten::_scaled_dot_product_flash_attention_for_cpu`
    pub const _scaled_dot_product_flash_attention_for_cpu: OpId = OpId(1230);
    /// `aten::_scaled_dot_product_flash_attention_for_cpu_backward`
    pub const _scaled_dot_product_flash_attention_for_cpu_backward: OpId = OpId(1231);
    /// `aten::_scaled_mm`
    pub const _scaled_mm: OpId = OpId(1172);
    /// `aten::_scaled_mm.out`
    pub const _scaled_mm_out: OpId = OpId(1173);
    /// `aten::_scaled_mm_v2`
    pub const _scaled_mm_v2: OpId = OpId(1174);
    /// `aten::_scaled_mm_v2.out`
    pub const _scaled_mm_v2_out: OpId = OpId(1175);
    /// `aten::_set_item.Tensor`
    pub const _set_item_Tensor: OpId = OpId(320);
    /// `aten::_set_item.bool`
    pub const _set_item_bool: OpId = OpId(321);
    /// `aten::_set_item.complex`
    pub const _set_item_complex: OpId = OpId(322);
    /// `aten::_set_item.float`
    pub const _set_item_float: OpId = OpId(323);
    /// `aten::_set_item.int`
    pub const _set_item_int: OpId = OpId(324);
    /// `aten::_set_item.str`
    pub const _set_item_str: OpId = OpId(325);
    /// `aten::_set_item.t`
    pub const _set_item_t: OpId = OpId(998);
    /// `aten::_shape_as_tensor`
    pub const _shape_as_tensor: OpId = OpId(3293);
    /// `aten::_size_if_not_equal`
    pub const _size_if_not_equal: OpId = OpId(3294);
    /// `aten::_softmax`
    pub const _softmax: OpId = OpId(11);
    /// `aten::_softmax_backward_data`
    pub const _softmax_backward_data: OpId = OpId(13);
    /// `aten::_softmax_backward_data.out`
    pub const _softmax_backward_data_out: OpId = OpId(92);
    /// `aten::_softmax.out`
    pub const _softmax_out: OpId = OpId(12);
    /// `aten::_stack`
    pub const _stack: OpId = OpId(2488);
    /// `aten::_stack.out`
    pub const _stack_out: OpId = OpId(2489);
    /// `aten::_standard_gamma`
    pub const _standard_gamma: OpId = OpId(2353);
    /// `aten::_standard_gamma_grad`
    pub const _standard_gamma_grad: OpId = OpId(2355);
    /// `aten::_standard_gamma_grad.out`
    pub const _standard_gamma_grad_out: OpId = OpId(2356);
    /// `aten::_standard_gamma.out`
    pub const _standard_gamma_out: OpId = OpId(2354);
    /// `aten::_tensor_to_list`
    pub const _tensor_to_list: OpId = OpId(1080);
    /// `aten::_to_copy`
    pub const _to_copy: OpId = OpId(144);
    /// `aten::_to_copy.out`
    pub const _to_copy_out: OpId = OpId(145);
    /// `aten::_to_cpu`
    pub const _to_cpu: OpId = OpId(185);
    /// `aten::_transform_bias_rescale_qkv`
    pub const _transform_bias_rescale_qkv: OpId = OpId(1232);
    /// `aten::_transform_bias_rescale_qkv.out`
    pub const _transform_bias_rescale_qkv_out: OpId = OpId(1233);
    /// `aten::_transformer_encoder_layer_fwd`
    pub const _transformer_encoder_layer_fwd: OpId = OpId(1176);
    /// `aten::_transformer_encoder_layer_fwd.out`
    pub const _transformer_encoder_layer_fwd_out: OpId = OpId(1177);
    /// `aten::_trilinear`
    pub const _trilinear: OpId = OpId(1178);
    /// `aten::_trilinear.out`
    pub const _trilinear_out: OpId = OpId(1179);
    /// `aten::_unique`
    pub const _unique: OpId = OpId(3073);
    /// `aten::_unique2`
    pub const _unique2: OpId = OpId(3048);
    /// `aten::_unique2.out`
    pub const _unique2_out: OpId = OpId(3049);
    /// `aten::_unique.out`
    pub const _unique_out: OpId = OpId(3074);
    /// `aten::_unsafe_index.Tensor`
    pub const _unsafe_index_Tensor: OpId = OpId(836);
    /// `aten::_unsafe_index.Tensor_hacked_twin`
    pub const _unsafe_index_Tensor_hacked_twin: OpId = OpId(857);
    /// `aten::_unsafe_index_put`
    pub const _unsafe_index_put: OpId = OpId(837);
    /// `aten::_unsafe_index_put.hacked_twin`
    pub const _unsafe_index_put_hacked_twin: OpId = OpId(787);
    /// `aten::_unsafe_masked_index`
    pub const _unsafe_masked_index: OpId = OpId(838);
    /// `aten::_unsafe_masked_index_put_accumulate`
    pub const _unsafe_masked_index_put_accumulate: OpId = OpId(839);
    /// `aten::_unsafe_view`
    pub const _unsafe_view: OpId = OpId(3461);
    /// `aten::_unsafe_view.out`
    pub const _unsafe_view_out: OpId = OpId(3462);
    /// `aten::_unwrap_optional`
    pub const _unwrap_optional: OpId = OpId(2044);
    /// `aten::_upsample_bicubic2d_aa`
    pub const _upsample_bicubic2d_aa: OpId = OpId(3378);
    /// `aten::_upsample_bicubic2d_aa_backward`
    pub const _upsample_bicubic2d_aa_backward: OpId = OpId(3431);
    /// `aten::_upsample_bicubic2d_aa_backward.grad_input`
    pub const _upsample_bicubic2d_aa_backward_grad_input: OpId = OpId(3432);
    /// `aten::_upsample_bicubic2d_aa.out`
    pub const _upsample_bicubic2d_aa_out: OpId = OpId(3380);
    /// `aten::_upsample_bicubic2d_aa.vec`
    pub const _upsample_bicubic2d_aa_vec: OpId = OpId(3379);
    /// `aten::_upsample_bilinear2d_aa`
    pub const _upsample_bilinear2d_aa: OpId = OpId(3381);
    /// `aten::_upsample_bilinear2d_aa_backward`
    pub const _upsample_bilinear2d_aa_backward: OpId = OpId(3433);
    /// `aten::_upsample_bilinear2d_aa_backward.grad_input`
    pub const _upsample_bilinear2d_aa_backward_grad_input: OpId = OpId(3434);
    /// `aten::_upsample_bilinear2d_aa.out`
    pub const _upsample_bilinear2d_aa_out: OpId = OpId(3383);
    /// `aten::_upsample_bilinear2d_aa.vec`
    pub const _upsample_bilinear2d_aa_vec: OpId = OpId(3382);
    /// `aten::_upsample_lanczos2d_aa`
    pub const _upsample_lanczos2d_aa: OpId = OpId(3384);
    /// `aten::_upsample_lanczos2d_aa.out`
    pub const _upsample_lanczos2d_aa_out: OpId = OpId(3386);
    /// `aten::_upsample_lanczos2d_aa.vec`
    pub const _upsample_lanczos2d_aa_vec: OpId = OpId(3385);
    /// `aten::_upsample_nearest_exact1d`
    pub const _upsample_nearest_exact1d: OpId = OpId(3387);
    /// `aten::_upsample_nearest_exact1d_backward`
    pub const _upsample_nearest_exact1d_backward: OpId = OpId(3435);
    /// `aten::_upsample_nearest_exact1d_backward.grad_input`
    pub const _upsample_nearest_exact1d_backward_grad_input: OpId = OpId(3436);
    /// `aten::_upsample_nearest_exact1d.out`
    pub const _upsample_nearest_exact1d_out: OpId = OpId(3389);
    /// `aten::_upsample_nearest_exact1d.vec`
    pub const _upsample_nearest_exact1d_vec: OpId = OpId(3388);
    /// `aten::_upsample_nearest_exact2d`
    pub const _upsample_nearest_exact2d: OpId = OpId(3390);
    /// `aten::_upsample_nearest_exact2d_backward`
    pub const _upsample_nearest_exact2d_backward: OpId = OpId(3437);
    /// `aten::_upsample_nearest_exact2d_backward.grad_input`
    pub const _upsample_nearest_exact2d_backward_grad_input: OpId = OpId(3438);
    /// `aten::_upsample_nearest_exact2d.out`
    pub const _upsample_nearest_exact2d_out: OpId = OpId(3392);
    /// `aten::_upsample_nearest_exact2d.vec`
    pub const _upsample_nearest_exact2d_vec: OpId = OpId(3391);
    /// `aten::_upsample_nearest_exact3d`
    pub const _upsample_nearest_exact3d: OpId = OpId(3393);
    /// `aten::_upsample_nearest_exact3d_backward`
    pub const _upsample_nearest_exact3d_backward: OpId = OpId(3439);
    /// `aten::_upsample_nearest_exact3d_backward.grad_input`
    pub const _upsample_nearest_exact3d_backward_grad_input: OpId = OpId(3440);
    /// `aten::_upsample_nearest_exact3d.out`
    pub const _upsample_nearest_exact3d_out: OpId = OpId(3395);
    /// `aten::_upsample_nearest_exact3d.vec`
    pub const _upsample_nearest_exact3d_vec: OpId = OpId(3394);
    /// `aten::_weight_norm`
    pub const _weight_norm: OpId = OpId(1298);
    /// `aten::_weight_norm_interface`
    pub const _weight_norm_interface: OpId = OpId(1268);
    /// `aten::_weight_norm_interface_backward`
    pub const _weight_norm_interface_backward: OpId = OpId(1299);
    /// `aten::_weight_norm_interface_backward.out`
    pub const _weight_norm_interface_backward_out: OpId = OpId(1300);
    /// `aten::_weight_norm_interface.out`
    pub const _weight_norm_interface_out: OpId = OpId(1269);
    /// `aten::abs`
    pub const abs: OpId = OpId(1376);
    /// `aten::abs_`
    pub const abs_: OpId = OpId(1377);
    /// `aten::abs.out`
    pub const abs_out: OpId = OpId(1378);
    /// `aten::absolute`
    pub const absolute: OpId = OpId(1379);
    /// `aten::absolute_`
    pub const absolute_: OpId = OpId(1380);
    /// `aten::absolute.out`
    pub const absolute_out: OpId = OpId(1381);
    /// `aten::acos`
    pub const acos: OpId = OpId(1382);
    /// `aten::acos_`
    pub const acos_: OpId = OpId(1383);
    /// `aten::acos.Scalar`
    pub const acos_Scalar: OpId = OpId(2992);
    /// `aten::acos.complex`
    pub const acos_complex: OpId = OpId(2993);
    /// `aten::acos.float`
    pub const acos_float: OpId = OpId(2994);
    /// `aten::acos.int`
    pub const acos_int: OpId = OpId(2995);
    /// `aten::acos.out`
    pub const acos_out: OpId = OpId(1384);
    /// `aten::acosh`
    pub const acosh: OpId = OpId(1385);
    /// `aten::acosh_`
    pub const acosh_: OpId = OpId(1386);
    /// `aten::acosh.Scalar`
    pub const acosh_Scalar: OpId = OpId(2996);
    /// `aten::acosh.complex`
    pub const acosh_complex: OpId = OpId(2997);
    /// `aten::acosh.float`
    pub const acosh_float: OpId = OpId(2998);
    /// `aten::acosh.int`
    pub const acosh_int: OpId = OpId(2999);
    /// `aten::acosh.out`
    pub const acosh_out: OpId = OpId(1387);
    /// `aten::adaptive_avg_pool1d`
    pub const adaptive_avg_pool1d: OpId = OpId(1991);
    /// `aten::adaptive_avg_pool1d.out`
    pub const adaptive_avg_pool1d_out: OpId = OpId(1992);
    /// `aten::adaptive_avg_pool2d`
    pub const adaptive_avg_pool2d: OpId = OpId(1993);
    /// `aten::adaptive_avg_pool2d.out`
    pub const adaptive_avg_pool2d_out: OpId = OpId(1994);
    /// `aten::adaptive_avg_pool3d`
    pub const adaptive_avg_pool3d: OpId = OpId(1995);
    /// `aten::adaptive_avg_pool3d_backward.grad_input`
    pub const adaptive_avg_pool3d_backward_grad_input: OpId = OpId(2024);
    /// `aten::adaptive_avg_pool3d.out`
    pub const adaptive_avg_pool3d_out: OpId = OpId(1996);
    /// `aten::adaptive_max_pool1d`
    pub const adaptive_max_pool1d: OpId = OpId(1997);
    /// `aten::adaptive_max_pool2d`
    pub const adaptive_max_pool2d: OpId = OpId(1998);
    /// `aten::adaptive_max_pool2d_backward`
    pub const adaptive_max_pool2d_backward: OpId = OpId(2025);
    /// `aten::adaptive_max_pool2d_backward.grad_input`
    pub const adaptive_max_pool2d_backward_grad_input: OpId = OpId(2026);
    /// `aten::adaptive_max_pool2d.out`
    pub const adaptive_max_pool2d_out: OpId = OpId(1999);
    /// `aten::adaptive_max_pool3d`
    pub const adaptive_max_pool3d: OpId = OpId(2000);
    /// `aten::adaptive_max_pool3d_backward`
    pub const adaptive_max_pool3d_backward: OpId = OpId(2027);
    /// `aten::adaptive_max_pool3d_backward.grad_input`
    pub const adaptive_max_pool3d_backward_grad_input: OpId = OpId(2028);
    /// `aten::adaptive_max_pool3d.out`
    pub const adaptive_max_pool3d_out: OpId = OpId(2001);
    /// `aten::add`
    pub const add: OpId = OpId(2773);
    /// `aten::add.Scalar`
    pub const add_Scalar: OpId = OpId(1388);
    /// `aten::add.Scalar_out`
    pub const add_Scalar_out: OpId = OpId(1392);
    /// `aten::add.Tensor`
    pub const add_Tensor: OpId = OpId(1389);
    /// `aten::add_.Scalar`
    pub const add__Scalar: OpId = OpId(1390);
    /// `aten::add_.Tensor`
    pub const add__Tensor: OpId = OpId(1391);
    /// `aten::add_.t`
    pub const add__t: OpId = OpId(1000);
    /// `aten::add.complex`
    pub const add_complex: OpId = OpId(2774);
    /// `aten::add.complex_float`
    pub const add_complex_float: OpId = OpId(2775);
    /// `aten::add.complex_int`
    pub const add_complex_int: OpId = OpId(2776);
    /// `aten::add.float`
    pub const add_float: OpId = OpId(2777);
    /// `aten::add.float_complex`
    pub const add_float_complex: OpId = OpId(2778);
    /// `aten::add.float_int`
    pub const add_float_int: OpId = OpId(2779);
    /// `aten::add.int`
    pub const add_int: OpId = OpId(2780);
    /// `aten::add.int_complex`
    pub const add_int_complex: OpId = OpId(2781);
    /// `aten::add.int_float`
    pub const add_int_float: OpId = OpId(2782);
    /// `aten::add.out`
    pub const add_out: OpId = OpId(1393);
    /// `aten::add.str`
    pub const add_str: OpId = OpId(3238);
    /// `aten::add.t`
    pub const add_t: OpId = OpId(999);
    /// `aten::addbmm`
    pub const addbmm: OpId = OpId(1180);
    /// `aten::addbmm_`
    pub const addbmm_: OpId = OpId(1181);
    /// `aten::addbmm.out`
    pub const addbmm_out: OpId = OpId(1182);
    /// `aten::addcdiv`
    pub const addcdiv: OpId = OpId(1394);
    /// `aten::addcdiv_`
    pub const addcdiv_: OpId = OpId(1395);
    /// `aten::addcdiv.out`
    pub const addcdiv_out: OpId = OpId(1396);
    /// `aten::addcmul`
    pub const addcmul: OpId = OpId(1397);
    /// `aten::addcmul_`
    pub const addcmul_: OpId = OpId(1398);
    /// `aten::addcmul.out`
    pub const addcmul_out: OpId = OpId(1399);
    /// `aten::addmm`
    pub const addmm: OpId = OpId(1183);
    /// `aten::addmm_`
    pub const addmm_: OpId = OpId(1185);
    /// `aten::addmm.dtype`
    pub const addmm_dtype: OpId = OpId(1184);
    /// `aten::addmm.dtype_out`
    pub const addmm_dtype_out: OpId = OpId(1186);
    /// `aten::addmm.out`
    pub const addmm_out: OpId = OpId(1187);
    /// `aten::addmv`
    pub const addmv: OpId = OpId(1234);
    /// `aten::addmv_`
    pub const addmv_: OpId = OpId(1235);
    /// `aten::addmv.out`
    pub const addmv_out: OpId = OpId(1236);
    /// `aten::addr`
    pub const addr: OpId = OpId(1237);
    /// `aten::addr_`
    pub const addr_: OpId = OpId(1238);
    /// `aten::addr.out`
    pub const addr_out: OpId = OpId(1239);
    /// `aten::adjoint`
    pub const adjoint: OpId = OpId(3527);
    /// `aten::affine_grid_generator`
    pub const affine_grid_generator: OpId = OpId(3396);
    /// `aten::affine_grid_generator.out`
    pub const affine_grid_generator_out: OpId = OpId(3397);
    /// `aten::alias`
    pub const alias: OpId = OpId(3463);
    /// `aten::alias_copy`
    pub const alias_copy: OpId = OpId(2393);
    /// `aten::alias_copy.out`
    pub const alias_copy_out: OpId = OpId(2394);
    /// `aten::all`
    pub const all: OpId = OpId(2531);
    /// `aten::all.all_out`
    pub const all_all_out: OpId = OpId(2534);
    /// `aten::all.bool`
    pub const all_bool: OpId = OpId(1001);
    /// `aten::all.dim`
    pub const all_dim: OpId = OpId(2532);
    /// `aten::all.dims`
    pub const all_dims: OpId = OpId(2533);
    /// `aten::all.dims_out`
    pub const all_dims_out: OpId = OpId(2535);
    /// `aten::all.float`
    pub const all_float: OpId = OpId(1002);
    /// `aten::all.int`
    pub const all_int: OpId = OpId(1003);
    /// `aten::all.out`
    pub const all_out: OpId = OpId(2536);
    /// `aten::allclose`
    pub const allclose: OpId = OpId(2537);
    /// `aten::alpha_dropout`
    pub const alpha_dropout: OpId = OpId(2357);
    /// `aten::alpha_dropout_`
    pub const alpha_dropout_: OpId = OpId(2358);
    /// `aten::amax`
    pub const amax: OpId = OpId(2538);
    /// `aten::amax.out`
    pub const amax_out: OpId = OpId(2539);
    /// `aten::amin`
    pub const amin: OpId = OpId(2540);
    /// `aten::amin.out`
    pub const amin_out: OpId = OpId(2541);
    /// `aten::aminmax`
    pub const aminmax: OpId = OpId(2542);
    /// `aten::aminmax.out`
    pub const aminmax_out: OpId = OpId(2543);
    /// `aten::angle`
    pub const angle: OpId = OpId(104);
    /// `aten::angle.Scalar`
    pub const angle_Scalar: OpId = OpId(2783);
    /// `aten::angle.complex`
    pub const angle_complex: OpId = OpId(2784);
    /// `aten::angle.float`
    pub const angle_float: OpId = OpId(2785);
    /// `aten::angle.int`
    pub const angle_int: OpId = OpId(2786);
    /// `aten::angle.out`
    pub const angle_out: OpId = OpId(105);
    /// `aten::any`
    pub const any: OpId = OpId(2544);
    /// `aten::any.all_out`
    pub const any_all_out: OpId = OpId(2547);
    /// `aten::any.bool`
    pub const any_bool: OpId = OpId(1004);
    /// `aten::any.dim`
    pub const any_dim: OpId = OpId(2545);
    /// `aten::any.dims`
    pub const any_dims: OpId = OpId(2546);
    /// `aten::any.dims_out`
    pub const any_dims_out: OpId = OpId(2548);
    /// `aten::any.float`
    pub const any_float: OpId = OpId(1005);
    /// `aten::any.int`
    pub const any_int: OpId = OpId(1006);
    /// `aten::any.out`
    pub const any_out: OpId = OpId(2549);
    /// `aten::any.str`
    pub const any_str: OpId = OpId(1007);
    /// `aten::append.t`
    pub const append_t: OpId = OpId(1008);
    /// `aten::arange`
    pub const arange: OpId = OpId(205);
    /// `aten::arange.out`
    pub const arange_out: OpId = OpId(208);
    /// `aten::arange.start`
    pub const arange_start: OpId = OpId(206);
    /// `aten::arange.start_out`
    pub const arange_start_out: OpId = OpId(209);
    /// `aten::arange.start_step`
    pub const arange_start_step: OpId = OpId(207);
    /// `aten::arccos`
    pub const arccos: OpId = OpId(1764);
    /// `aten::arccos_`
    pub const arccos_: OpId = OpId(1765);
    /// `aten::arccos.out`
    pub const arccos_out: OpId = OpId(1766);
    /// `aten::arccosh`
    pub const arccosh: OpId = OpId(1767);
    /// `aten::arccosh_`
    pub const arccosh_: OpId = OpId(1768);
    /// `aten::arccosh.out`
    pub const arccosh_out: OpId = OpId(1769);
    /// `aten::arcsin`
    pub const arcsin: OpId = OpId(1770);
    /// `aten::arcsin_`
    pub const arcsin_: OpId = OpId(1771);
    /// `aten::arcsin.out`
    pub const arcsin_out: OpId = OpId(1772);
    /// `aten::arcsinh`
    pub const arcsinh: OpId = OpId(1773);
    /// `aten::arcsinh_`
    pub const arcsinh_: OpId = OpId(1774);
    /// `aten::arcsinh.out`
    pub const arcsinh_out: OpId = OpId(1775);
    /// `aten::arctan`
    pub const arctan: OpId = OpId(1776);
    /// `aten::arctan2`
    pub const arctan2: OpId = OpId(1779);
    /// `aten::arctan2_`
    pub const arctan2_: OpId = OpId(1780);
    /// `aten::arctan2.out`
    pub const arctan2_out: OpId = OpId(1781);
    /// `aten::arctan_`
    pub const arctan_: OpId = OpId(1777);
    /// `aten::arctan.out`
    pub const arctan_out: OpId = OpId(1778);
    /// `aten::arctanh`
    pub const arctanh: OpId = OpId(1782);
    /// `aten::arctanh_`
    pub const arctanh_: OpId = OpId(1783);
    /// `aten::arctanh.out`
    pub const arctanh_out: OpId = OpId(1784);
    /// `aten::argmax`
    pub const argmax: OpId = OpId(2550);
    /// `aten::argmax.out`
    pub const argmax_out: OpId = OpId(2551);
    /// `aten::argmin`
    pub const argmin: OpId = OpId(2552);
    /// `aten::argmin.out`
    pub const argmin_out: OpId = OpId(2553);
    /// `aten::argsort`
    pub const argsort: OpId = OpId(3050);
    /// `aten::argsort.stable`
    pub const argsort_stable: OpId = OpId(3051);
    /// `aten::argsort.stable_out`
    pub const argsort_stable_out: OpId = OpId(3052);
    /// `aten::argwhere`
    pub const argwhere: OpId = OpId(788);
    /// `aten::as_strided`
    pub const as_strided: OpId = OpId(3464);
    /// `aten::as_strided_`
    pub const as_strided_: OpId = OpId(3465);
    /// `aten::as_strided_copy`
    pub const as_strided_copy: OpId = OpId(2395);
    /// `aten::as_strided_copy.out`
    pub const as_strided_copy_out: OpId = OpId(2396);
    /// `aten::as_strided_scatter`
    pub const as_strided_scatter: OpId = OpId(2397);
    /// `aten::as_strided_scatter.out`
    pub const as_strided_scatter_out: OpId = OpId(2398);
    /// `aten::as_tensor`
    pub const as_tensor: OpId = OpId(284);
    /// `aten::as_tensor.bool`
    pub const as_tensor_bool: OpId = OpId(285);
    /// `aten::as_tensor.complex`
    pub const as_tensor_complex: OpId = OpId(286);
    /// `aten::as_tensor.float`
    pub const as_tensor_float: OpId = OpId(287);
    /// `aten::as_tensor.int`
    pub const as_tensor_int: OpId = OpId(288);
    /// `aten::as_tensor.list`
    pub const as_tensor_list: OpId = OpId(1081);
    /// `aten::asin`
    pub const asin: OpId = OpId(1400);
    /// `aten::asin_`
    pub const asin_: OpId = OpId(1401);
    /// `aten::asin.Scalar`
    pub const asin_Scalar: OpId = OpId(2787);
    /// `aten::asin.complex`
    pub const asin_complex: OpId = OpId(2788);
    /// `aten::asin.float`
    pub const asin_float: OpId = OpId(2789);
    /// `aten::asin.int`
    pub const asin_int: OpId = OpId(2790);
    /// `aten::asin.out`
    pub const asin_out: OpId = OpId(1402);
    /// `aten::asinh`
    pub const asinh: OpId = OpId(1403);
    /// `aten::asinh_`
    pub const asinh_: OpId = OpId(1404);
    /// `aten::asinh.Scalar`
    pub const asinh_Scalar: OpId = OpId(3000);
    /// `aten::asinh.complex`
    pub const asinh_complex: OpId = OpId(3001);
    /// `aten::asinh.float`
    pub const asinh_float: OpId = OpId(3002);
    /// `aten::asinh.int`
    pub const asinh_int: OpId = OpId(3003);
    /// `aten::asinh.out`
    pub const asinh_out: OpId = OpId(1405);
    /// `aten::atan`
    pub const atan: OpId = OpId(1406);
    /// `aten::atan2`
    pub const atan2: OpId = OpId(1409);
    /// `aten::atan2_`
    pub const atan2_: OpId = OpId(1410);
    /// `aten::atan2.Scalar_Scalar`
    pub const atan2_Scalar_Scalar: OpId = OpId(2791);
    /// `aten::atan2.float`
    pub const atan2_float: OpId = OpId(2792);
    /// `aten::atan2.float_int`
    pub const atan2_float_int: OpId = OpId(2793);
    /// `aten::atan2.int`
    pub const atan2_int: OpId = OpId(2794);
    /// `aten::atan2.int_float`
    pub const atan2_int_float: OpId = OpId(2795);
    /// `aten::atan2.out`
    pub const atan2_out: OpId = OpId(1411);
    /// `aten::atan_`
    pub const atan_: OpId = OpId(1407);
    /// `aten::atan.Scalar`
    pub const atan_Scalar: OpId = OpId(3004);
    /// `aten::atan.complex`
    pub const atan_complex: OpId = OpId(3005);
    /// `aten::atan.float`
    pub const atan_float: OpId = OpId(3006);
    /// `aten::atan.int`
    pub const atan_int: OpId = OpId(3007);
    /// `aten::atan.out`
    pub const atan_out: OpId = OpId(1408);
    /// `aten::atanh`
    pub const atanh: OpId = OpId(1412);
    /// `aten::atanh_`
    pub const atanh_: OpId = OpId(1413);
    /// `aten::atanh.Scalar`
    pub const atanh_Scalar: OpId = OpId(3008);
    /// `aten::atanh.complex`
    pub const atanh_complex: OpId = OpId(3009);
    /// `aten::atanh.float`
    pub const atanh_float: OpId = OpId(3010);
    /// `aten::atanh.int`
    pub const atanh_int: OpId = OpId(3011);
    /// `aten::atanh.out`
    pub const atanh_out: OpId = OpId(1414);
    /// `aten::atleast_1d`
    pub const atleast_1d: OpId = OpId(3466);
    /// `aten::atleast_1d.Sequence`
    pub const atleast_1d_Sequence: OpId = OpId(3528);
    /// `aten::atleast_2d`
    pub const atleast_2d: OpId = OpId(3467);
    /// `aten::atleast_2d.Sequence`
    pub const atleast_2d_Sequence: OpId = OpId(3529);
    /// `aten::atleast_3d`
    pub const atleast_3d: OpId = OpId(3530);
    /// `aten::atleast_3d.Sequence`
    pub const atleast_3d_Sequence: OpId = OpId(3531);
    /// `aten::avg_pool1d`
    pub const avg_pool1d: OpId = OpId(2002);
    /// `aten::avg_pool1d.out`
    pub const avg_pool1d_out: OpId = OpId(2003);
    /// `aten::avg_pool2d`
    pub const avg_pool2d: OpId = OpId(2004);
    /// `aten::avg_pool2d_backward`
    pub const avg_pool2d_backward: OpId = OpId(2006);
    /// `aten::avg_pool2d_backward.grad_input`
    pub const avg_pool2d_backward_grad_input: OpId = OpId(2029);
    /// `aten::avg_pool2d.out`
    pub const avg_pool2d_out: OpId = OpId(2005);
    /// `aten::avg_pool3d`
    pub const avg_pool3d: OpId = OpId(2007);
    /// `aten::avg_pool3d_backward`
    pub const avg_pool3d_backward: OpId = OpId(2009);
    /// `aten::avg_pool3d_backward.grad_input`
    pub const avg_pool3d_backward_grad_input: OpId = OpId(2030);
    /// `aten::avg_pool3d.out`
    pub const avg_pool3d_out: OpId = OpId(2008);
    /// `aten::baddbmm`
    pub const baddbmm: OpId = OpId(1188);
    /// `aten::baddbmm_`
    pub const baddbmm_: OpId = OpId(1190);
    /// `aten::baddbmm.dtype`
    pub const baddbmm_dtype: OpId = OpId(1189);
    /// `aten::baddbmm.dtype_out`
    pub const baddbmm_dtype_out: OpId = OpId(1191);
    /// `aten::baddbmm.out`
    pub const baddbmm_out: OpId = OpId(1192);
    /// `aten::bartlett_window`
    pub const bartlett_window: OpId = OpId(500);
    /// `aten::bartlett_window.out`
    pub const bartlett_window_out: OpId = OpId(502);
    /// `aten::bartlett_window.periodic`
    pub const bartlett_window_periodic: OpId = OpId(501);
    /// `aten::bartlett_window.periodic_out`
    pub const bartlett_window_periodic_out: OpId = OpId(503);
    /// `aten::batch_norm`
    pub const batch_norm: OpId = OpId(1270);
    /// `aten::batch_norm_update_stats`
    pub const batch_norm_update_stats: OpId = OpId(1301);
    /// `aten::batch_norm_update_stats.out`
    pub const batch_norm_update_stats_out: OpId = OpId(1302);
    /// `aten::bernoulli`
    pub const bernoulli: OpId = OpId(2267);
    /// `aten::bernoulli.Tensor`
    pub const bernoulli_Tensor: OpId = OpId(2268);
    /// `aten::bernoulli.Tensor_out`
    pub const bernoulli_Tensor_out: OpId = OpId(2272);
    /// `aten::bernoulli_.Tensor`
    pub const bernoulli__Tensor: OpId = OpId(2270);
    /// `aten::bernoulli_.float`
    pub const bernoulli__float: OpId = OpId(2271);
    /// `aten::bernoulli.float_out`
    pub const bernoulli_float_out: OpId = OpId(2273);
    /// `aten::bernoulli.out`
    pub const bernoulli_out: OpId = OpId(2274);
    /// `aten::bernoulli.p`
    pub const bernoulli_p: OpId = OpId(2269);
    /// `aten::bilinear`
    pub const bilinear: OpId = OpId(1193);
    /// `aten::bin`
    pub const bin: OpId = OpId(3012);
    /// `aten::binary_cross_entropy`
    pub const binary_cross_entropy: OpId = OpId(1108);
    /// `aten::binary_cross_entropy_backward`
    pub const binary_cross_entropy_backward: OpId = OpId(1110);
    /// `aten::binary_cross_entropy_backward.grad_input`
    pub const binary_cross_entropy_backward_grad_input: OpId = OpId(1136);
    /// `aten::binary_cross_entropy.out`
    pub const binary_cross_entropy_out: OpId = OpId(1109);
    /// `aten::binary_cross_entropy_with_logits`
    pub const binary_cross_entropy_with_logits: OpId = OpId(1111);
    /// `aten::binary_cross_entropy_with_logits.out`
    pub const binary_cross_entropy_with_logits_out: OpId = OpId(1112);
    /// `aten::bincount`
    pub const bincount: OpId = OpId(2554);
    /// `aten::bincount.out`
    pub const bincount_out: OpId = OpId(2555);
    /// `aten::binomial`
    pub const binomial: OpId = OpId(2359);
    /// `aten::binomial.out`
    pub const binomial_out: OpId = OpId(2360);
    /// `aten::bitwise_and.Scalar`
    pub const bitwise_and_Scalar: OpId = OpId(1415);
    /// `aten::bitwise_and.Scalar_Tensor`
    pub const bitwise_and_Scalar_Tensor: OpId = OpId(1785);
    /// `aten::bitwise_and.Scalar_Tensor_out`
    pub const bitwise_and_Scalar_Tensor_out: OpId = OpId(1419);
    /// `aten::bitwise_and.Scalar_out`
    pub const bitwise_and_Scalar_out: OpId = OpId(1420);
    /// `aten::bitwise_and.Tensor`
    pub const bitwise_and_Tensor: OpId = OpId(1416);
    /// `aten::bitwise_and.Tensor_out`
    pub const bitwise_and_Tensor_out: OpId = OpId(1421);
    /// `aten::bitwise_and_.Scalar`
    pub const bitwise_and__Scalar: OpId = OpId(1417);
    /// `aten::bitwise_and_.Tensor`
    pub const bitwise_and__Tensor: OpId = OpId(1418);
    /// `aten::bitwise_left_shift.Scalar_Tensor`
    pub const bitwise_left_shift_Scalar_Tensor: OpId = OpId(1786);
    /// `aten::bitwise_left_shift.Scalar_Tensor_out`
    pub const bitwise_left_shift_Scalar_Tensor_out: OpId = OpId(1425);
    /// `aten::bitwise_left_shift.Tensor`
    pub const bitwise_left_shift_Tensor: OpId = OpId(1422);
    /// `aten::bitwise_left_shift.Tensor_Scalar`
    pub const bitwise_left_shift_Tensor_Scalar: OpId = OpId(1787);
    /// `aten::bitwise_left_shift.Tensor_Scalar_out`
    pub const bitwise_left_shift_Tensor_Scalar_out: OpId = OpId(1426);
    /// `aten::bitwise_left_shift.Tensor_out`
    pub const bitwise_left_shift_Tensor_out: OpId = OpId(1427);
    /// `aten::bitwise_left_shift_.Tensor`
    pub const bitwise_left_shift__Tensor: OpId = OpId(1423);
    /// `aten::bitwise_left_shift_.Tensor_Scalar`
    pub const bitwise_left_shift__Tensor_Scalar: OpId = OpId(1424);
    /// `aten::bitwise_not`
    pub const bitwise_not: OpId = OpId(1428);
    /// `aten::bitwise_not_`
    pub const bitwise_not_: OpId = OpId(1429);
    /// `aten::bitwise_not.out`
    pub const bitwise_not_out: OpId = OpId(1430);
    /// `aten::bitwise_or.Scalar`
    pub const bitwise_or_Scalar: OpId = OpId(1431);
    /// `aten::bitwise_or.Scalar_Tensor`
    pub const bitwise_or_Scalar_Tensor: OpId = OpId(1788);
    /// `aten::bitwise_or.Scalar_Tensor_out`
    pub const bitwise_or_Scalar_Tensor_out: OpId = OpId(1435);
    /// `aten::bitwise_or.Scalar_out`
    pub const bitwise_or_Scalar_out: OpId = OpId(1436);
    /// `aten::bitwise_or.Tensor`
    pub const bitwise_or_Tensor: OpId = OpId(1432);
    /// `aten::bitwise_or.Tensor_out`
    pub const bitwise_or_Tensor_out: OpId = OpId(1437);
    /// `aten::bitwise_or_.Scalar`
    pub const bitwise_or__Scalar: OpId = OpId(1433);
    /// `aten::bitwise_or_.Tensor`
    pub const bitwise_or__Tensor: OpId = OpId(1434);
    /// `aten::bitwise_right_shift.Scalar_Tensor`
    pub const bitwise_right_shift_Scalar_Tensor: OpId = OpId(1789);
    /// `aten::bitwise_right_shift.Scalar_Tensor_out`
    pub const bitwise_right_shift_Scalar_Tensor_out: OpId = OpId(1441);
    /// `aten::bitwise_right_shift.Tensor`
    pub const bitwise_right_shift_Tensor: OpId = OpId(1438);
    /// `aten::bitwise_right_shift.Tensor_Scalar`
    pub const bitwise_right_shift_Tensor_Scalar: OpId = OpId(1790);
    /// `aten::bitwise_right_shift.Tensor_Scalar_out`
    pub const bitwise_right_shift_Tensor_Scalar_out: OpId = OpId(1442);
    /// `aten::bitwise_right_shift.Tensor_out`
    pub const bitwise_right_shift_Tensor_out: OpId = OpId(1443);
    /// `aten::bitwise_right_shift_.Tensor`
    pub const bitwise_right_shift__Tensor: OpId = OpId(1439);
    /// `aten::bitwise_right_shift_.Tensor_Scalar`
    pub const bitwise_right_shift__Tensor_Scalar: OpId = OpId(1440);
    /// `aten::bitwise_xor.Scalar`
    pub const bitwise_xor_Scalar: OpId = OpId(1444);
    /// `aten::bitwise_xor.Scalar_Tensor`
    pub const bitwise_xor_Scalar_Tensor: OpId = OpId(1791);
    /// `aten::bitwise_xor.Scalar_Tensor_out`
    pub const bitwise_xor_Scalar_Tensor_out: OpId = OpId(1448);
    /// `aten::bitwise_xor.Scalar_out`
    pub const bitwise_xor_Scalar_out: OpId = OpId(1449);
    /// `aten::bitwise_xor.Tensor`
    pub const bitwise_xor_Tensor: OpId = OpId(1445);
    /// `aten::bitwise_xor.Tensor_out`
    pub const bitwise_xor_Tensor_out: OpId = OpId(1450);
    /// `aten::bitwise_xor_.Scalar`
    pub const bitwise_xor__Scalar: OpId = OpId(1446);
    /// `aten::bitwise_xor_.Tensor`
    pub const bitwise_xor__Tensor: OpId = OpId(1447);
    /// `aten::blackman_window`
    pub const blackman_window: OpId = OpId(504);
    /// `aten::blackman_window.out`
    pub const blackman_window_out: OpId = OpId(506);
    /// `aten::blackman_window.periodic`
    pub const blackman_window_periodic: OpId = OpId(505);
    /// `aten::blackman_window.periodic_out`
    pub const blackman_window_periodic_out: OpId = OpId(507);
    /// `aten::block_diag`
    pub const block_diag: OpId = OpId(2490);
    /// `aten::block_diag.out`
    pub const block_diag_out: OpId = OpId(2491);
    /// `aten::bmm`
    pub const bmm: OpId = OpId(1194);
    /// `aten::bmm.dtype`
    pub const bmm_dtype: OpId = OpId(1195);
    /// `aten::bmm.dtype_out`
    pub const bmm_dtype_out: OpId = OpId(1196);
    /// `aten::bmm.out`
    pub const bmm_out: OpId = OpId(1197);
    /// `aten::broadcast_shapes`
    pub const broadcast_shapes: OpId = OpId(1082);
    /// `aten::broadcast_tensors`
    pub const broadcast_tensors: OpId = OpId(3468);
    /// `aten::broadcast_to`
    pub const broadcast_to: OpId = OpId(3469);
    /// `aten::bucketize.Scalar`
    pub const bucketize_Scalar: OpId = OpId(3053);
    /// `aten::bucketize.Scalar_out`
    pub const bucketize_Scalar_out: OpId = OpId(3055);
    /// `aten::bucketize.Tensor`
    pub const bucketize_Tensor: OpId = OpId(3054);
    /// `aten::bucketize.Tensor_out`
    pub const bucketize_Tensor_out: OpId = OpId(3056);
    /// `aten::can_cast`
    pub const can_cast: OpId = OpId(3329);
    /// `aten::capitalize`
    pub const capitalize: OpId = OpId(3239);
    /// `aten::cartesian_prod`
    pub const cartesian_prod: OpId = OpId(2399);
    /// `aten::cat`
    pub const cat: OpId = OpId(2400);
    /// `aten::cat.out`
    pub const cat_out: OpId = OpId(2401);
    /// `aten::cauchy`
    pub const cauchy: OpId = OpId(2361);
    /// `aten::cauchy_`
    pub const cauchy_: OpId = OpId(2362);
    /// `aten::cauchy.out`
    pub const cauchy_out: OpId = OpId(2363);
    /// `aten::cdist`
    pub const cdist: OpId = OpId(1198);
    /// `aten::ceil`
    pub const ceil: OpId = OpId(1451);
    /// `aten::ceil_`
    pub const ceil_: OpId = OpId(1452);
    /// `aten::ceil.Scalar`
    pub const ceil_Scalar: OpId = OpId(2796);
    /// `aten::ceil.float`
    pub const ceil_float: OpId = OpId(2797);
    /// `aten::ceil.int`
    pub const ceil_int: OpId = OpId(2798);
    /// `aten::ceil.out`
    pub const ceil_out: OpId = OpId(1453);
    /// `aten::celu`
    pub const celu: OpId = OpId(14);
    /// `aten::celu_`
    pub const celu_: OpId = OpId(15);
    /// `aten::celu.out`
    pub const celu_out: OpId = OpId(16);
    /// `aten::center`
    pub const center: OpId = OpId(3240);
    /// `aten::chain_matmul`
    pub const chain_matmul: OpId = OpId(1240);
    /// `aten::chain_matmul.out`
    pub const chain_matmul_out: OpId = OpId(1241);
    /// `aten::chalf`
    pub const chalf: OpId = OpId(186);
    /// `aten::channel_shuffle`
    pub const channel_shuffle: OpId = OpId(3398);
    /// `aten::channel_shuffle.out`
    pub const channel_shuffle_out: OpId = OpId(3399);
    /// `aten::cholesky_inverse`
    pub const cholesky_inverse: OpId = OpId(895);
    /// `aten::cholesky_inverse.out`
    pub const cholesky_inverse_out: OpId = OpId(896);
    /// `aten::cholesky_solve`
    pub const cholesky_solve: OpId = OpId(897);
    /// `aten::cholesky_solve.out`
    pub const cholesky_solve_out: OpId = OpId(898);
    /// `aten::choose_qparams_optimized`
    pub const choose_qparams_optimized: OpId = OpId(2104);
    /// `aten::chr`
    pub const chr: OpId = OpId(3241);
    /// `aten::chunk`
    pub const chunk: OpId = OpId(3470);
    /// `aten::clamp`
    pub const clamp: OpId = OpId(1454);
    /// `aten::clamp_`
    pub const clamp_: OpId = OpId(1456);
    /// `aten::clamp.Tensor`
    pub const clamp_Tensor: OpId = OpId(1455);
    /// `aten::clamp.Tensor_out`
    pub const clamp_Tensor_out: OpId = OpId(1458);
    /// `aten::clamp_.Tensor`
    pub const clamp__Tensor: OpId = OpId(1457);
    /// `aten::clamp_max`
    pub const clamp_max: OpId = OpId(1460);
    /// `aten::clamp_max_`
    pub const clamp_max_: OpId = OpId(1462);
    /// `aten::clamp_max.Tensor`
    pub const clamp_max_Tensor: OpId = OpId(1461);
    /// `aten::clamp_max.Tensor_out`
    pub const clamp_max_Tensor_out: OpId = OpId(1464);
    /// `aten::clamp_max_.Tensor`
    pub const clamp_max__Tensor: OpId = OpId(1463);
    /// `aten::clamp_max.out`
    pub const clamp_max_out: OpId = OpId(1465);
    /// `aten::clamp_min`
    pub const clamp_min: OpId = OpId(1466);
    /// `aten::clamp_min_`
    pub const clamp_min_: OpId = OpId(1468);
    /// `aten::clamp_min.Tensor`
    pub const clamp_min_Tensor: OpId = OpId(1467);
    /// `aten::clamp_min.Tensor_out`
    pub const clamp_min_Tensor_out: OpId = OpId(1470);
    /// `aten::clamp_min_.Tensor`
    pub const clamp_min__Tensor: OpId = OpId(1469);
    /// `aten::clamp_min.out`
    pub const clamp_min_out: OpId = OpId(1471);
    /// `aten::clamp.out`
    pub const clamp_out: OpId = OpId(1459);
    /// `aten::clear.Tensor`
    pub const clear_Tensor: OpId = OpId(326);
    /// `aten::clear.bool`
    pub const clear_bool: OpId = OpId(327);
    /// `aten::clear.complex`
    pub const clear_complex: OpId = OpId(328);
    /// `aten::clear.float`
    pub const clear_float: OpId = OpId(329);
    /// `aten::clear.int`
    pub const clear_int: OpId = OpId(330);
    /// `aten::clear.str`
    pub const clear_str: OpId = OpId(331);
    /// `aten::clear.t`
    pub const clear_t: OpId = OpId(1009);
    /// `aten::clip`
    pub const clip: OpId = OpId(1792);
    /// `aten::clip_`
    pub const clip_: OpId = OpId(1794);
    /// `aten::clip.Tensor`
    pub const clip_Tensor: OpId = OpId(1793);
    /// `aten::clip.Tensor_out`
    pub const clip_Tensor_out: OpId = OpId(1796);
    /// `aten::clip_.Tensor`
    pub const clip__Tensor: OpId = OpId(1795);
    /// `aten::clip.out`
    pub const clip_out: OpId = OpId(1797);
    /// `aten::clone`
    pub const clone: OpId = OpId(146);
    /// `aten::clone.out`
    pub const clone_out: OpId = OpId(147);
    /// `aten::col2im`
    pub const col2im: OpId = OpId(114);
    /// `aten::col2im.out`
    pub const col2im_out: OpId = OpId(115);
    /// `aten::column_stack`
    pub const column_stack: OpId = OpId(2402);
    /// `aten::column_stack.out`
    pub const column_stack_out: OpId = OpId(2403);
    /// `aten::combinations`
    pub const combinations: OpId = OpId(2492);
    /// `aten::complex`
    pub const complex: OpId = OpId(106);
    /// `aten::complex.out`
    pub const complex_out: OpId = OpId(107);
    /// `aten::concat`
    pub const concat: OpId = OpId(2493);
    /// `aten::concat.out`
    pub const concat_out: OpId = OpId(2494);
    /// `aten::concatenate`
    pub const concatenate: OpId = OpId(2495);
    /// `aten::concatenate.out`
    pub const concatenate_out: OpId = OpId(2496);
    /// `aten::conj`
    pub const conj: OpId = OpId(3532);
    /// `aten::conj_physical`
    pub const conj_physical: OpId = OpId(187);
    /// `aten::conj_physical_`
    pub const conj_physical_: OpId = OpId(188);
    /// `aten::conj_physical.out`
    pub const conj_physical_out: OpId = OpId(189);
    /// `aten::constant_pad_nd`
    pub const constant_pad_nd: OpId = OpId(1331);
    /// `aten::constant_pad_nd.out`
    pub const constant_pad_nd_out: OpId = OpId(1332);
    /// `aten::contiguous`
    pub const contiguous: OpId = OpId(148);
    /// `aten::conv1d`
    pub const conv1d: OpId = OpId(116);
    /// `aten::conv1d.padding`
    pub const conv1d_padding: OpId = OpId(117);
    /// `aten::conv2d`
    pub const conv2d: OpId = OpId(118);
    /// `aten::conv2d.padding`
    pub const conv2d_padding: OpId = OpId(119);
    /// `aten::conv3d`
    pub const conv3d: OpId = OpId(120);
    /// `aten::conv3d.padding`
    pub const conv3d_padding: OpId = OpId(121);
    /// `aten::conv_tbc`
    pub const conv_tbc: OpId = OpId(122);
    /// `aten::conv_tbc_backward`
    pub const conv_tbc_backward: OpId = OpId(124);
    /// `aten::conv_tbc.out`
    pub const conv_tbc_out: OpId = OpId(123);
    /// `aten::conv_transpose1d`
    pub const conv_transpose1d: OpId = OpId(125);
    /// `aten::conv_transpose2d.input`
    pub const conv_transpose2d_input: OpId = OpId(126);
    /// `aten::conv_transpose3d.input`
    pub const conv_transpose3d_input: OpId = OpId(127);
    /// `aten::convolution`
    pub const convolution: OpId = OpId(128);
    /// `aten::convolution_backward`
    pub const convolution_backward: OpId = OpId(130);
    /// `aten::convolution_backward.out`
    pub const convolution_backward_out: OpId = OpId(131);
    /// `aten::convolution.out`
    pub const convolution_out: OpId = OpId(129);
    /// `aten::copy`
    pub const copy: OpId = OpId(149);
    /// `aten::copy_`
    pub const copy_: OpId = OpId(150);
    /// `aten::copy.Dict_Tensor`
    pub const copy_Dict_Tensor: OpId = OpId(332);
    /// `aten::copy.Dict_bool`
    pub const copy_Dict_bool: OpId = OpId(333);
    /// `aten::copy.Dict_complex`
    pub const copy_Dict_complex: OpId = OpId(334);
    /// `aten::copy.Dict_float`
    pub const copy_Dict_float: OpId = OpId(335);
    /// `aten::copy.Dict_int`
    pub const copy_Dict_int: OpId = OpId(336);
    /// `aten::copy.Dict_str`
    pub const copy_Dict_str: OpId = OpId(337);
    /// `aten::copy_.Tensor`
    pub const copy__Tensor: OpId = OpId(151);
    /// `aten::copy_.float`
    pub const copy__float: OpId = OpId(152);
    /// `aten::copy_.int`
    pub const copy__int: OpId = OpId(153);
    /// `aten::copy.out`
    pub const copy_out: OpId = OpId(154);
    /// `aten::copy.t`
    pub const copy_t: OpId = OpId(1010);
    /// `aten::copysign`
    pub const copysign: OpId = OpId(2799);
    /// `aten::copysign.Scalar`
    pub const copysign_Scalar: OpId = OpId(1472);
    /// `aten::copysign.Scalar_out`
    pub const copysign_Scalar_out: OpId = OpId(1476);
    /// `aten::copysign.Tensor`
    pub const copysign_Tensor: OpId = OpId(1473);
    /// `aten::copysign_.Scalar`
    pub const copysign__Scalar: OpId = OpId(1474);
    /// `aten::copysign_.Tensor`
    pub const copysign__Tensor: OpId = OpId(1475);
    /// `aten::copysign.float`
    pub const copysign_float: OpId = OpId(2800);
    /// `aten::copysign.float_int`
    pub const copysign_float_int: OpId = OpId(2801);
    /// `aten::copysign.int`
    pub const copysign_int: OpId = OpId(2802);
    /// `aten::copysign.int_float`
    pub const copysign_int_float: OpId = OpId(2803);
    /// `aten::copysign.out`
    pub const copysign_out: OpId = OpId(1477);
    /// `aten::corrcoef`
    pub const corrcoef: OpId = OpId(1242);
    /// `aten::cos`
    pub const cos: OpId = OpId(1478);
    /// `aten::cos_`
    pub const cos_: OpId = OpId(1479);
    /// `aten::cos.Scalar`
    pub const cos_Scalar: OpId = OpId(3013);
    /// `aten::cos.complex`
    pub const cos_complex: OpId = OpId(3014);
    /// `aten::cos.float`
    pub const cos_float: OpId = OpId(3015);
    /// `aten::cos.int`
    pub const cos_int: OpId = OpId(3016);
    /// `aten::cos.out`
    pub const cos_out: OpId = OpId(1480);
    /// `aten::cosh`
    pub const cosh: OpId = OpId(1481);
    /// `aten::cosh_`
    pub const cosh_: OpId = OpId(1482);
    /// `aten::cosh.Scalar`
    pub const cosh_Scalar: OpId = OpId(3017);
    /// `aten::cosh.complex`
    pub const cosh_complex: OpId = OpId(3018);
    /// `aten::cosh.float`
    pub const cosh_float: OpId = OpId(3019);
    /// `aten::cosh.int`
    pub const cosh_int: OpId = OpId(3020);
    /// `aten::cosh.out`
    pub const cosh_out: OpId = OpId(1483);
    /// `aten::cosine_embedding_loss`
    pub const cosine_embedding_loss: OpId = OpId(1113);
    /// `aten::cosine_similarity`
    pub const cosine_similarity: OpId = OpId(1271);
    /// `aten::count`
    pub const count: OpId = OpId(3242);
    /// `aten::count.Tensor`
    pub const count_Tensor: OpId = OpId(1011);
    /// `aten::count.bool`
    pub const count_bool: OpId = OpId(1012);
    /// `aten::count.float`
    pub const count_float: OpId = OpId(1013);
    /// `aten::count.int`
    pub const count_int: OpId = OpId(1014);
    /// `aten::count_nonzero`
    pub const count_nonzero: OpId = OpId(2556);
    /// `aten::count_nonzero.dim_IntList`
    pub const count_nonzero_dim_IntList: OpId = OpId(2557);
    /// `aten::count_nonzero.dim_IntList_out`
    pub const count_nonzero_dim_IntList_out: OpId = OpId(2558);
    /// `aten::count_nonzero.out`
    pub const count_nonzero_out: OpId = OpId(2559);
    /// `aten::count.str`
    pub const count_str: OpId = OpId(1015);
    /// `aten::cov`
    pub const cov: OpId = OpId(1243);
    /// `aten::cpu`
    pub const cpu: OpId = OpId(155);
    /// `aten::cross`
    pub const cross: OpId = OpId(899);
    /// `aten::cross_entropy_loss`
    pub const cross_entropy_loss: OpId = OpId(1114);
    /// `aten::cross.out`
    pub const cross_out: OpId = OpId(900);
    /// `aten::ctc_loss.IntList`
    pub const ctc_loss_IntList: OpId = OpId(1137);
    /// `aten::ctc_loss.Tensor`
    pub const ctc_loss_Tensor: OpId = OpId(1138);
    /// `aten::cuda`
    pub const cuda: OpId = OpId(156);
    /// `aten::cummax`
    pub const cummax: OpId = OpId(2560);
    /// `aten::cummax.out`
    pub const cummax_out: OpId = OpId(2561);
    /// `aten::cummin`
    pub const cummin: OpId = OpId(2653);
    /// `aten::cummin.out`
    pub const cummin_out: OpId = OpId(2654);
    /// `aten::cumprod`
    pub const cumprod: OpId = OpId(2562);
    /// `aten::cumprod_`
    pub const cumprod_: OpId = OpId(2563);
    /// `aten::cumprod.out`
    pub const cumprod_out: OpId = OpId(2564);
    /// `aten::cumsum`
    pub const cumsum: OpId = OpId(2565);
    /// `aten::cumsum_`
    pub const cumsum_: OpId = OpId(2566);
    /// `aten::cumsum.out`
    pub const cumsum_out: OpId = OpId(2567);
    /// `aten::cumulative_trapezoid.dx`
    pub const cumulative_trapezoid_dx: OpId = OpId(2655);
    /// `aten::cumulative_trapezoid.x`
    pub const cumulative_trapezoid_x: OpId = OpId(2656);
    /// `aten::deg2rad`
    pub const deg2rad: OpId = OpId(1484);
    /// `aten::deg2rad_`
    pub const deg2rad_: OpId = OpId(1485);
    /// `aten::deg2rad.out`
    pub const deg2rad_out: OpId = OpId(1486);
    /// `aten::degrees.Scalar`
    pub const degrees_Scalar: OpId = OpId(3021);
    /// `aten::degrees.float`
    pub const degrees_float: OpId = OpId(3022);
    /// `aten::degrees.int`
    pub const degrees_int: OpId = OpId(3023);
    /// `aten::dense_dim`
    pub const dense_dim: OpId = OpId(3330);
    /// `aten::dequantize.any`
    pub const dequantize_any: OpId = OpId(2105);
    /// `aten::dequantize.list`
    pub const dequantize_list: OpId = OpId(2251);
    /// `aten::dequantize.self`
    pub const dequantize_self: OpId = OpId(2085);
    /// `aten::dequantize.self_out`
    pub const dequantize_self_out: OpId = OpId(2087);
    /// `aten::dequantize.tensor`
    pub const dequantize_tensor: OpId = OpId(2086);
    /// `aten::dequantize.tensors`
    pub const dequantize_tensors: OpId = OpId(2250);
    /// `aten::det`
    pub const det: OpId = OpId(901);
    /// `aten::detach`
    pub const detach: OpId = OpId(3471);
    /// `aten::detach_`
    pub const detach_: OpId = OpId(3472);
    /// `aten::detach_copy`
    pub const detach_copy: OpId = OpId(2404);
    /// `aten::detach_copy.out`
    pub const detach_copy_out: OpId = OpId(2405);
    /// `aten::device`
    pub const device: OpId = OpId(3331);
    /// `aten::device.with_index`
    pub const device_with_index: OpId = OpId(3295);
    /// `aten::diag`
    pub const diag: OpId = OpId(2406);
    /// `aten::diag_embed`
    pub const diag_embed: OpId = OpId(2408);
    /// `aten::diag_embed.out`
    pub const diag_embed_out: OpId = OpId(2409);
    /// `aten::diag.out`
    pub const diag_out: OpId = OpId(2407);
    /// `aten::diagflat`
    pub const diagflat: OpId = OpId(2497);
    /// `aten::diagonal`
    pub const diagonal: OpId = OpId(3473);
    /// `aten::diagonal_backward`
    pub const diagonal_backward: OpId = OpId(2498);
    /// `aten::diagonal_backward.out`
    pub const diagonal_backward_out: OpId = OpId(2499);
    /// `aten::diagonal_copy`
    pub const diagonal_copy: OpId = OpId(2410);
    /// `aten::diagonal_copy.out`
    pub const diagonal_copy_out: OpId = OpId(2411);
    /// `aten::diagonal_scatter`
    pub const diagonal_scatter: OpId = OpId(2412);
    /// `aten::diagonal_scatter.out`
    pub const diagonal_scatter_out: OpId = OpId(2413);
    /// `aten::dict`
    pub const dict: OpId = OpId(338);
    /// `aten::dict.Dict_Tensor`
    pub const dict_Dict_Tensor: OpId = OpId(339);
    /// `aten::dict.Dict_bool`
    pub const dict_Dict_bool: OpId = OpId(340);
    /// `aten::dict.Dict_complex`
    pub const dict_Dict_complex: OpId = OpId(341);
    /// `aten::dict.Dict_float`
    pub const dict_Dict_float: OpId = OpId(342);
    /// `aten::dict.Dict_int`
    pub const dict_Dict_int: OpId = OpId(343);
    /// `aten::dict.Dict_str`
    pub const dict_Dict_str: OpId = OpId(344);
    /// `aten::dict.Tensor`
    pub const dict_Tensor: OpId = OpId(345);
    /// `aten::dict.bool`
    pub const dict_bool: OpId = OpId(346);
    /// `aten::dict.complex`
    pub const dict_complex: OpId = OpId(347);
    /// `aten::dict.float`
    pub const dict_float: OpId = OpId(348);
    /// `aten::dict.int`
    pub const dict_int: OpId = OpId(349);
    /// `aten::dict.str`
    pub const dict_str: OpId = OpId(350);
    /// `aten::diff`
    pub const diff: OpId = OpId(2568);
    /// `aten::diff.out`
    pub const diff_out: OpId = OpId(2569);
    /// `aten::digamma`
    pub const digamma: OpId = OpId(1487);
    /// `aten::digamma_`
    pub const digamma_: OpId = OpId(1488);
    /// `aten::digamma.out`
    pub const digamma_out: OpId = OpId(1489);
    /// `aten::dim`
    pub const dim: OpId = OpId(3296);
    /// `aten::dist`
    pub const dist: OpId = OpId(1244);
    /// `aten::dist.out`
    pub const dist_out: OpId = OpId(1245);
    /// `aten::div`
    pub const div: OpId = OpId(2804);
    /// `aten::div.Scalar`
    pub const div_Scalar: OpId = OpId(1490);
    /// `aten::div.Scalar_mode`
    pub const div_Scalar_mode: OpId = OpId(1491);
    /// `aten::div.Scalar_mode_out`
    pub const div_Scalar_mode_out: OpId = OpId(1498);
    /// `aten::div.Scalar_out`
    pub const div_Scalar_out: OpId = OpId(1499);
    /// `aten::div.Tensor`
    pub const div_Tensor: OpId = OpId(1492);
    /// `aten::div.Tensor_mode`
    pub const div_Tensor_mode: OpId = OpId(1493);
    /// `aten::div_.Scalar`
    pub const div__Scalar: OpId = OpId(1494);
    /// `aten::div_.Scalar_mode`
    pub const div__Scalar_mode: OpId = OpId(1495);
    /// `aten::div_.Tensor`
    pub const div__Tensor: OpId = OpId(1496);
    /// `aten::div_.Tensor_mode`
    pub const div__Tensor_mode: OpId = OpId(1497);
    /// `aten::div.complex`
    pub const div_complex: OpId = OpId(2805);
    /// `aten::div.float`
    pub const div_float: OpId = OpId(2806);
    /// `aten::div.int`
    pub const div_int: OpId = OpId(2807);
    /// `aten::div.out`
    pub const div_out: OpId = OpId(1500);
    /// `aten::div.out_mode`
    pub const div_out_mode: OpId = OpId(1501);
    /// `aten::divide.Scalar`
    pub const divide_Scalar: OpId = OpId(1798);
    /// `aten::divide.Scalar_mode`
    pub const divide_Scalar_mode: OpId = OpId(1799);
    /// `aten::divide.Tensor`
    pub const divide_Tensor: OpId = OpId(1800);
    /// `aten::divide.Tensor_mode`
    pub const divide_Tensor_mode: OpId = OpId(1801);
    /// `aten::divide_.Scalar`
    pub const divide__Scalar: OpId = OpId(1802);
    /// `aten::divide_.Scalar_mode`
    pub const divide__Scalar_mode: OpId = OpId(1803);
    /// `aten::divide_.Tensor`
    pub const divide__Tensor: OpId = OpId(1804);
    /// `aten::divide_.Tensor_mode`
    pub const divide__Tensor_mode: OpId = OpId(1805);
    /// `aten::divide.out`
    pub const divide_out: OpId = OpId(1806);
    /// `aten::divide.out_mode`
    pub const divide_out_mode: OpId = OpId(1807);
    /// `aten::divmod.float`
    pub const divmod_float: OpId = OpId(2808);
    /// `aten::divmod.float_int`
    pub const divmod_float_int: OpId = OpId(2809);
    /// `aten::divmod.int`
    pub const divmod_int: OpId = OpId(2810);
    /// `aten::divmod.int_float`
    pub const divmod_int_float: OpId = OpId(2811);
    /// `aten::dot`
    pub const dot: OpId = OpId(1199);
    /// `aten::dot.out`
    pub const dot_out: OpId = OpId(1200);
    /// `aten::dropout`
    pub const dropout: OpId = OpId(2275);
    /// `aten::dropout_`
    pub const dropout_: OpId = OpId(2276);
    /// `aten::dsplit.array`
    pub const dsplit_array: OpId = OpId(3533);
    /// `aten::dsplit.int`
    pub const dsplit_int: OpId = OpId(3534);
    /// `aten::dstack`
    pub const dstack: OpId = OpId(2500);
    /// `aten::dstack.out`
    pub const dstack_out: OpId = OpId(2501);
    /// `aten::einsum`
    pub const einsum: OpId = OpId(1201);
    /// `aten::einsum.sublist`
    pub const einsum_sublist: OpId = OpId(1202);
    /// `aten::element_size`
    pub const element_size: OpId = OpId(3297);
    /// `aten::elu`
    pub const elu: OpId = OpId(17);
    /// `aten::elu_`
    pub const elu_: OpId = OpId(18);
    /// `aten::elu_backward`
    pub const elu_backward: OpId = OpId(20);
    /// `aten::elu_backward.grad_input`
    pub const elu_backward_grad_input: OpId = OpId(93);
    /// `aten::elu.out`
    pub const elu_out: OpId = OpId(19);
    /// `aten::embedding`
    pub const embedding: OpId = OpId(465);
    /// `aten::embedding_bag`
    pub const embedding_bag: OpId = OpId(467);
    /// `aten::embedding_bag.padding_idx`
    pub const embedding_bag_padding_idx: OpId = OpId(468);
    /// `aten::embedding_dense_backward`
    pub const embedding_dense_backward: OpId = OpId(469);
    /// `aten::embedding_dense_backward.out`
    pub const embedding_dense_backward_out: OpId = OpId(470);
    /// `aten::embedding.out`
    pub const embedding_out: OpId = OpId(466);
    /// `aten::embedding_renorm`
    pub const embedding_renorm: OpId = OpId(477);
    /// `aten::embedding_renorm_`
    pub const embedding_renorm_: OpId = OpId(478);
    /// `aten::embedding_renorm.out`
    pub const embedding_renorm_out: OpId = OpId(479);
    /// `aten::empty_like`
    pub const empty_like: OpId = OpId(212);
    /// `aten::empty_like.out`
    pub const empty_like_out: OpId = OpId(213);
    /// `aten::empty.memory_format`
    pub const empty_memory_format: OpId = OpId(210);
    /// `aten::empty.out`
    pub const empty_out: OpId = OpId(211);
    /// `aten::empty_permuted`
    pub const empty_permuted: OpId = OpId(1083);
    /// `aten::empty_permuted.out`
    pub const empty_permuted_out: OpId = OpId(1084);
    /// `aten::empty_quantized`
    pub const empty_quantized: OpId = OpId(2260);
    /// `aten::empty_strided`
    pub const empty_strided: OpId = OpId(214);
    /// `aten::empty_strided.out`
    pub const empty_strided_out: OpId = OpId(215);
    /// `aten::endswith`
    pub const endswith: OpId = OpId(3243);
    /// `aten::eq`
    pub const eq: OpId = OpId(2812);
    /// `aten::eq.Scalar`
    pub const eq_Scalar: OpId = OpId(1502);
    /// `aten::eq.Scalar_out`
    pub const eq_Scalar_out: OpId = OpId(1506);
    /// `aten::eq.Tensor`
    pub const eq_Tensor: OpId = OpId(1503);
    /// `aten::eq.Tensor_list`
    pub const eq_Tensor_list: OpId = OpId(1016);
    /// `aten::eq.Tensor_out`
    pub const eq_Tensor_out: OpId = OpId(1507);
    /// `aten::eq_.Scalar`
    pub const eq__Scalar: OpId = OpId(1504);
    /// `aten::eq_.Tensor`
    pub const eq__Tensor: OpId = OpId(1505);
    /// `aten::eq.bool`
    pub const eq_bool: OpId = OpId(2813);
    /// `aten::eq.bool_list`
    pub const eq_bool_list: OpId = OpId(1017);
    /// `aten::eq.complex`
    pub const eq_complex: OpId = OpId(2814);
    /// `aten::eq.complex_float`
    pub const eq_complex_float: OpId = OpId(2815);
    /// `aten::eq.device`
    pub const eq_device: OpId = OpId(2816);
    /// `aten::eq.enum`
    pub const eq_enum: OpId = OpId(2817);
    /// `aten::eq.float`
    pub const eq_float: OpId = OpId(2818);
    /// `aten::eq.float_complex`
    pub const eq_float_complex: OpId = OpId(2819);
    /// `aten::eq.float_int`
    pub const eq_float_int: OpId = OpId(2820);
    /// `aten::eq.float_list`
    pub const eq_float_list: OpId = OpId(1018);
    /// `aten::eq.int`
    pub const eq_int: OpId = OpId(2821);
    /// `aten::eq.int_float`
    pub const eq_int_float: OpId = OpId(2822);
    /// `aten::eq.int_list`
    pub const eq_int_list: OpId = OpId(1019);
    /// `aten::eq.str`
    pub const eq_str: OpId = OpId(3244);
    /// `aten::eq.str_list`
    pub const eq_str_list: OpId = OpId(1020);
    /// `aten::equal`
    pub const equal: OpId = OpId(2570);
    /// `aten::erf`
    pub const erf: OpId = OpId(1508);
    /// `aten::erf_`
    pub const erf_: OpId = OpId(1509);
    /// `aten::erf.Scalar`
    pub const erf_Scalar: OpId = OpId(2823);
    /// `aten::erf.float`
    pub const erf_float: OpId = OpId(2824);
    /// `aten::erf.int`
    pub const erf_int: OpId = OpId(2825);
    /// `aten::erf.out`
    pub const erf_out: OpId = OpId(1510);
    /// `aten::erfc`
    pub const erfc: OpId = OpId(1808);
    /// `aten::erfc_`
    pub const erfc_: OpId = OpId(1809);
    /// `aten::erfc.Scalar`
    pub const erfc_Scalar: OpId = OpId(3024);
    /// `aten::erfc.float`
    pub const erfc_float: OpId = OpId(3025);
    /// `aten::erfc.int`
    pub const erfc_int: OpId = OpId(3026);
    /// `aten::erfc.out`
    pub const erfc_out: OpId = OpId(1810);
    /// `aten::erfinv`
    pub const erfinv: OpId = OpId(1511);
    /// `aten::erfinv_`
    pub const erfinv_: OpId = OpId(1512);
    /// `aten::erfinv.out`
    pub const erfinv_out: OpId = OpId(1513);
    /// `aten::exp`
    pub const exp: OpId = OpId(1514);
    /// `aten::exp2`
    pub const exp2: OpId = OpId(1517);
    /// `aten::exp2_`
    pub const exp2_: OpId = OpId(1518);
    /// `aten::exp2.out`
    pub const exp2_out: OpId = OpId(1519);
    /// `aten::exp_`
    pub const exp_: OpId = OpId(1515);
    /// `aten::exp.Scalar`
    pub const exp_Scalar: OpId = OpId(2826);
    /// `aten::exp.complex`
    pub const exp_complex: OpId = OpId(2827);
    /// `aten::exp.float`
    pub const exp_float: OpId = OpId(2828);
    /// `aten::exp.int`
    pub const exp_int: OpId = OpId(2829);
    /// `aten::exp.out`
    pub const exp_out: OpId = OpId(1516);
    /// `aten::expand`
    pub const expand: OpId = OpId(3474);
    /// `aten::expand_as`
    pub const expand_as: OpId = OpId(3475);
    /// `aten::expand_copy`
    pub const expand_copy: OpId = OpId(2414);
    /// `aten::expand_copy.out`
    pub const expand_copy_out: OpId = OpId(2415);
    /// `aten::expandtabs`
    pub const expandtabs: OpId = OpId(3245);
    /// `aten::expm1`
    pub const expm1: OpId = OpId(1520);
    /// `aten::expm1_`
    pub const expm1_: OpId = OpId(1521);
    /// `aten::expm1.Scalar`
    pub const expm1_Scalar: OpId = OpId(2830);
    /// `aten::expm1.float`
    pub const expm1_float: OpId = OpId(2831);
    /// `aten::expm1.int`
    pub const expm1_int: OpId = OpId(2832);
    /// `aten::expm1.out`
    pub const expm1_out: OpId = OpId(1522);
    /// `aten::exponential`
    pub const exponential: OpId = OpId(2277);
    /// `aten::exponential_`
    pub const exponential_: OpId = OpId(2278);
    /// `aten::exponential.out`
    pub const exponential_out: OpId = OpId(2279);
    /// `aten::extend.t`
    pub const extend_t: OpId = OpId(1021);
    /// `aten::eye`
    pub const eye: OpId = OpId(216);
    /// `aten::eye.m`
    pub const eye_m: OpId = OpId(217);
    /// `aten::eye.m_out`
    pub const eye_m_out: OpId = OpId(218);
    /// `aten::eye.out`
    pub const eye_out: OpId = OpId(219);
    /// `aten::fabs.Scalar`
    pub const fabs_Scalar: OpId = OpId(2833);
    /// `aten::fabs.float`
    pub const fabs_float: OpId = OpId(2834);
    /// `aten::fabs.int`
    pub const fabs_int: OpId = OpId(2835);
    /// `aten::factorial.int`
    pub const factorial_int: OpId = OpId(2836);
    /// `aten::fake_quantize_per_channel_affine`
    pub const fake_quantize_per_channel_affine: OpId = OpId(2088);
    /// `aten::fake_quantize_per_channel_affine_cachemask`
    pub const fake_quantize_per_channel_affine_cachemask: OpId = OpId(2089);
    /// `aten::fake_quantize_per_channel_affine_cachemask.out`
    pub const fake_quantize_per_channel_affine_cachemask_out: OpId = OpId(2090);
    /// `aten::fake_quantize_per_tensor_affine`
    pub const fake_quantize_per_tensor_affine: OpId = OpId(2091);
    /// `aten::fake_quantize_per_tensor_affine_cachemask`
    pub const fake_quantize_per_tensor_affine_cachemask: OpId = OpId(2093);
    /// `aten::fake_quantize_per_tensor_affine_cachemask.out`
    pub const fake_quantize_per_tensor_affine_cachemask_out: OpId = OpId(2094);
    /// `aten::fake_quantize_per_tensor_affine.tensor_qparams`
    pub const fake_quantize_per_tensor_affine_tensor_qparams: OpId = OpId(2092);
    /// `aten::feature_alpha_dropout`
    pub const feature_alpha_dropout: OpId = OpId(2364);
    /// `aten::feature_alpha_dropout_`
    pub const feature_alpha_dropout_: OpId = OpId(2365);
    /// `aten::feature_dropout`
    pub const feature_dropout: OpId = OpId(2366);
    /// `aten::feature_dropout_`
    pub const feature_dropout_: OpId = OpId(2367);
    /// `aten::fft_fft`
    pub const fft_fft: OpId = OpId(485);
    /// `aten::fft_fft2`
    pub const fft_fft2: OpId = OpId(508);
    /// `aten::fft_fft2.out`
    pub const fft_fft2_out: OpId = OpId(509);
    /// `aten::fft_fft.out`
    pub const fft_fft_out: OpId = OpId(486);
    /// `aten::fft_fftfreq`
    pub const fft_fftfreq: OpId = OpId(510);
    /// `aten::fft_fftfreq.out`
    pub const fft_fftfreq_out: OpId = OpId(511);
    /// `aten::fft_fftn`
    pub const fft_fftn: OpId = OpId(512);
    /// `aten::fft_fftn.out`
    pub const fft_fftn_out: OpId = OpId(513);
    /// `aten::fft_fftshift`
    pub const fft_fftshift: OpId = OpId(514);
    /// `aten::fft_hfft`
    pub const fft_hfft: OpId = OpId(515);
    /// `aten::fft_hfft2`
    pub const fft_hfft2: OpId = OpId(517);
    /// `aten::fft_hfft2.out`
    pub const fft_hfft2_out: OpId = OpId(518);
    /// `aten::fft_hfft.out`
    pub const fft_hfft_out: OpId = OpId(516);
    /// `aten::fft_hfftn`
    pub const fft_hfftn: OpId = OpId(519);
    /// `aten::fft_hfftn.out`
    pub const fft_hfftn_out: OpId = OpId(520);
    /// `aten::fft_ifft`
    pub const fft_ifft: OpId = OpId(487);
    /// `aten::fft_ifft2`
    pub const fft_ifft2: OpId = OpId(521);
    /// `aten::fft_ifft2.out`
    pub const fft_ifft2_out: OpId = OpId(522);
    /// `aten::fft_ifft.out`
    pub const fft_ifft_out: OpId = OpId(488);
    /// `aten::fft_ifftn`
    pub const fft_ifftn: OpId = OpId(523);
    /// `aten::fft_ifftn.out`
    pub const fft_ifftn_out: OpId = OpId(524);
    /// `aten::fft_ifftshift`
    pub const fft_ifftshift: OpId = OpId(525);
    /// `aten::fft_ihfft`
    pub const fft_ihfft: OpId = OpId(526);
    /// `aten::fft_ihfft2`
    pub const fft_ihfft2: OpId = OpId(528);
    /// `aten::fft_ihfft2.out`
    pub const fft_ihfft2_out: OpId = OpId(529);
    /// `aten::fft_ihfft.out`
    pub const fft_ihfft_out: OpId = OpId(527);
    /// `aten::fft_ihfftn`
    pub const fft_ihfftn: OpId = OpId(530);
    /// `aten::fft_ihfftn.out`
    pub const fft_ihfftn_out: OpId = OpId(531);
    /// `aten::fft_irfft`
    pub const fft_irfft: OpId = OpId(489);
    /// `aten::fft_irfft2`
    pub const fft_irfft2: OpId = OpId(532);
    /// `aten::fft_irfft2.out`
    pub const fft_irfft2_out: OpId = OpId(533);
    /// `aten::fft_irfft.out`
    pub const fft_irfft_out: OpId = OpId(490);
    /// `aten::fft_irfftn`
    pub const fft_irfftn: OpId = OpId(534);
    /// `aten::fft_irfftn.out`
    pub const fft_irfftn_out: OpId = OpId(535);
    /// `aten::fft_rfft`
    pub const fft_rfft: OpId = OpId(491);
    /// `aten::fft_rfft2`
    pub const fft_rfft2: OpId = OpId(536);
    /// `aten::fft_rfft2.out`
    pub const fft_rfft2_out: OpId = OpId(537);
    /// `aten::fft_rfft.out`
    pub const fft_rfft_out: OpId = OpId(492);
    /// `aten::fft_rfftfreq`
    pub const fft_rfftfreq: OpId = OpId(538);
    /// `aten::fft_rfftfreq.out`
    pub const fft_rfftfreq_out: OpId = OpId(539);
    /// `aten::fft_rfftn`
    pub const fft_rfftn: OpId = OpId(540);
    /// `aten::fft_rfftn.out`
    pub const fft_rfftn_out: OpId = OpId(541);
    /// `aten::fill.Scalar`
    pub const fill_Scalar: OpId = OpId(220);
    /// `aten::fill.Scalar_out`
    pub const fill_Scalar_out: OpId = OpId(224);
    /// `aten::fill.Tensor`
    pub const fill_Tensor: OpId = OpId(221);
    /// `aten::fill.Tensor_out`
    pub const fill_Tensor_out: OpId = OpId(225);
    /// `aten::fill_.Scalar`
    pub const fill__Scalar: OpId = OpId(222);
    /// `aten::fill_.Tensor`
    pub const fill__Tensor: OpId = OpId(223);
    /// `aten::fill_diagonal_`
    pub const fill_diagonal_: OpId = OpId(2416);
    /// `aten::find`
    pub const find: OpId = OpId(3246);
    /// `aten::fix`
    pub const fix: OpId = OpId(1523);
    /// `aten::fix_`
    pub const fix_: OpId = OpId(1524);
    /// `aten::fix.out`
    pub const fix_out: OpId = OpId(1525);
    /// `aten::flatten_dense_tensors`
    pub const flatten_dense_tensors: OpId = OpId(2502);
    /// `aten::flatten.using_ints`
    pub const flatten_using_ints: OpId = OpId(3476);
    /// `aten::flip`
    pub const flip: OpId = OpId(2417);
    /// `aten::flip.out`
    pub const flip_out: OpId = OpId(2418);
    /// `aten::fliplr`
    pub const fliplr: OpId = OpId(2419);
    /// `aten::flipud`
    pub const flipud: OpId = OpId(2420);
    /// `aten::float_power.Scalar`
    pub const float_power_Scalar: OpId = OpId(1977);
    /// `aten::float_power.Scalar_out`
    pub const float_power_Scalar_out: OpId = OpId(1529);
    /// `aten::float_power.Tensor_Scalar`
    pub const float_power_Tensor_Scalar: OpId = OpId(1978);
    /// `aten::float_power.Tensor_Scalar_out`
    pub const float_power_Tensor_Scalar_out: OpId = OpId(1530);
    /// `aten::float_power.Tensor_Tensor`
    pub const float_power_Tensor_Tensor: OpId = OpId(1526);
    /// `aten::float_power.Tensor_Tensor_out`
    pub const float_power_Tensor_Tensor_out: OpId = OpId(1531);
    /// `aten::float_power_.Scalar`
    pub const float_power__Scalar: OpId = OpId(1527);
    /// `aten::float_power_.Tensor`
    pub const float_power__Tensor: OpId = OpId(1528);
    /// `aten::floor`
    pub const floor: OpId = OpId(1532);
    /// `aten::floor_`
    pub const floor_: OpId = OpId(1533);
    /// `aten::floor.Scalar`
    pub const floor_Scalar: OpId = OpId(2837);
    /// `aten::floor_divide`
    pub const floor_divide: OpId = OpId(1535);
    /// `aten::floor_divide.Scalar`
    pub const floor_divide_Scalar: OpId = OpId(1536);
    /// `aten::floor_divide.Scalar_out`
    pub const floor_divide_Scalar_out: OpId = OpId(1539);
    /// `aten::floor_divide_.Scalar`
    pub const floor_divide__Scalar: OpId = OpId(1537);
    /// `aten::floor_divide_.Tensor`
    pub const floor_divide__Tensor: OpId = OpId(1538);
    /// `aten::floor_divide.out`
    pub const floor_divide_out: OpId = OpId(1540);
    /// `aten::floor.float`
    pub const floor_float: OpId = OpId(2838);
    /// `aten::floor.int`
    pub const floor_int: OpId = OpId(2839);
    /// `aten::floor.out`
    pub const floor_out: OpId = OpId(1534);
    /// `aten::floordiv`
    pub const floordiv: OpId = OpId(2840);
    /// `aten::floordiv.float`
    pub const floordiv_float: OpId = OpId(2841);
    /// `aten::floordiv.float_int`
    pub const floordiv_float_int: OpId = OpId(2842);
    /// `aten::floordiv.int`
    pub const floordiv_int: OpId = OpId(2843);
    /// `aten::floordiv.int_float`
    pub const floordiv_int_float: OpId = OpId(2844);
    /// `aten::fmax`
    pub const fmax: OpId = OpId(1541);
    /// `aten::fmax.out`
    pub const fmax_out: OpId = OpId(1542);
    /// `aten::fmin`
    pub const fmin: OpId = OpId(1543);
    /// `aten::fmin.out`
    pub const fmin_out: OpId = OpId(1544);
    /// `aten::fmod`
    pub const fmod: OpId = OpId(2845);
    /// `aten::fmod.Scalar`
    pub const fmod_Scalar: OpId = OpId(1545);
    /// `aten::fmod.Scalar_out`
    pub const fmod_Scalar_out: OpId = OpId(1549);
    /// `aten::fmod.Tensor`
    pub const fmod_Tensor: OpId = OpId(1546);
    /// `aten::fmod.Tensor_out`
    pub const fmod_Tensor_out: OpId = OpId(1550);
    /// `aten::fmod_.Scalar`
    pub const fmod__Scalar: OpId = OpId(1547);
    /// `aten::fmod_.Tensor`
    pub const fmod__Tensor: OpId = OpId(1548);
    /// `aten::fmod.float`
    pub const fmod_float: OpId = OpId(2846);
    /// `aten::fmod.float_int`
    pub const fmod_float_int: OpId = OpId(2847);
    /// `aten::fmod.int`
    pub const fmod_int: OpId = OpId(2848);
    /// `aten::fmod.int_float`
    pub const fmod_int_float: OpId = OpId(2849);
    /// `aten::format`
    pub const format: OpId = OpId(3247);
    /// `aten::frac`
    pub const frac: OpId = OpId(1551);
    /// `aten::frac_`
    pub const frac_: OpId = OpId(1552);
    /// `aten::frac.out`
    pub const frac_out: OpId = OpId(1553);
    /// `aten::fractional_max_pool2d`
    pub const fractional_max_pool2d: OpId = OpId(2031);
    /// `aten::fractional_max_pool2d_backward`
    pub const fractional_max_pool2d_backward: OpId = OpId(2033);
    /// `aten::fractional_max_pool2d_backward.grad_input`
    pub const fractional_max_pool2d_backward_grad_input: OpId = OpId(2034);
    /// `aten::fractional_max_pool2d.output`
    pub const fractional_max_pool2d_output: OpId = OpId(2032);
    /// `aten::fractional_max_pool3d`
    pub const fractional_max_pool3d: OpId = OpId(2035);
    /// `aten::fractional_max_pool3d_backward`
    pub const fractional_max_pool3d_backward: OpId = OpId(2037);
    /// `aten::fractional_max_pool3d_backward.grad_input`
    pub const fractional_max_pool3d_backward_grad_input: OpId = OpId(2038);
    /// `aten::fractional_max_pool3d.output`
    pub const fractional_max_pool3d_output: OpId = OpId(2036);
    /// `aten::frexp`
    pub const frexp: OpId = OpId(2850);
    /// `aten::frexp.Tensor`
    pub const frexp_Tensor: OpId = OpId(1554);
    /// `aten::frexp.Tensor_out`
    pub const frexp_Tensor_out: OpId = OpId(1555);
    /// `aten::frobenius_norm.dim`
    pub const frobenius_norm_dim: OpId = OpId(2571);
    /// `aten::frobenius_norm.out`
    pub const frobenius_norm_out: OpId = OpId(2572);
    /// `aten::full`
    pub const full: OpId = OpId(226);
    /// `aten::full_like`
    pub const full_like: OpId = OpId(228);
    /// `aten::full_like.out`
    pub const full_like_out: OpId = OpId(229);
    /// `aten::full.out`
    pub const full_out: OpId = OpId(227);
    /// `aten::gamma.Scalar`
    pub const gamma_Scalar: OpId = OpId(2368);
    /// `aten::gamma.float`
    pub const gamma_float: OpId = OpId(2369);
    /// `aten::gamma.int`
    pub const gamma_int: OpId = OpId(2370);
    /// `aten::gather`
    pub const gather: OpId = OpId(789);
    /// `aten::gather.out`
    pub const gather_out: OpId = OpId(790);
    /// `aten::gcd`
    pub const gcd: OpId = OpId(1556);
    /// `aten::gcd_`
    pub const gcd_: OpId = OpId(1557);
    /// `aten::gcd.int`
    pub const gcd_int: OpId = OpId(2851);
    /// `aten::gcd.out`
    pub const gcd_out: OpId = OpId(1558);
    /// `aten::ge`
    pub const ge: OpId = OpId(2852);
    /// `aten::ge.Scalar`
    pub const ge_Scalar: OpId = OpId(1559);
    /// `aten::ge.Scalar_out`
    pub const ge_Scalar_out: OpId = OpId(1563);
    /// `aten::ge.Tensor`
    pub const ge_Tensor: OpId = OpId(1560);
    /// `aten::ge.Tensor_out`
    pub const ge_Tensor_out: OpId = OpId(1564);
    /// `aten::ge_.Scalar`
    pub const ge__Scalar: OpId = OpId(1561);
    /// `aten::ge_.Tensor`
    pub const ge__Tensor: OpId = OpId(1562);
    /// `aten::ge.float`
    pub const ge_float: OpId = OpId(2853);
    /// `aten::ge.float_int`
    pub const ge_float_int: OpId = OpId(2854);
    /// `aten::ge.int`
    pub const ge_int: OpId = OpId(2855);
    /// `aten::ge.int_float`
    pub const ge_int_float: OpId = OpId(2856);
    /// `aten::ge.str`
    pub const ge_str: OpId = OpId(3248);
    /// `aten::gelu`
    pub const gelu: OpId = OpId(21);
    /// `aten::gelu_`
    pub const gelu_: OpId = OpId(22);
    /// `aten::gelu_backward`
    pub const gelu_backward: OpId = OpId(24);
    /// `aten::gelu.out`
    pub const gelu_out: OpId = OpId(23);
    /// `aten::geometric`
    pub const geometric: OpId = OpId(2371);
    /// `aten::geometric_`
    pub const geometric_: OpId = OpId(2372);
    /// `aten::geometric.out`
    pub const geometric_out: OpId = OpId(2373);
    /// `aten::geqrf`
    pub const geqrf: OpId = OpId(902);
    /// `aten::geqrf.a`
    pub const geqrf_a: OpId = OpId(903);
    /// `aten::ger`
    pub const ger: OpId = OpId(1246);
    /// `aten::ger.out`
    pub const ger_out: OpId = OpId(1247);
    /// `aten::get.Tensor`
    pub const get_Tensor: OpId = OpId(351);
    /// `aten::get_autocast_dtype`
    pub const get_autocast_dtype: OpId = OpId(2045);
    /// `aten::get.bool`
    pub const get_bool: OpId = OpId(352);
    /// `aten::get.complex`
    pub const get_complex: OpId = OpId(353);
    /// `aten::get.default_Tensor`
    pub const get_default_Tensor: OpId = OpId(354);
    /// `aten::get.default_bool`
    pub const get_default_bool: OpId = OpId(355);
    /// `aten::get.default_complex`
    pub const get_default_complex: OpId = OpId(356);
    /// `aten::get.default_float`
    pub const get_default_float: OpId = OpId(357);
    /// `aten::get.default_int`
    pub const get_default_int: OpId = OpId(358);
    /// `aten::get.default_str`
    pub const get_default_str: OpId = OpId(359);
    /// `aten::get_device`
    pub const get_device: OpId = OpId(3332);
    /// `aten::get.float`
    pub const get_float: OpId = OpId(360);
    /// `aten::get.int`
    pub const get_int: OpId = OpId(361);
    /// `aten::get.str`
    pub const get_str: OpId = OpId(362);
    /// `aten::glu`
    pub const glu: OpId = OpId(25);
    /// `aten::glu_backward`
    pub const glu_backward: OpId = OpId(94);
    /// `aten::glu_backward.grad_input`
    pub const glu_backward_grad_input: OpId = OpId(95);
    /// `aten::glu_jvp`
    pub const glu_jvp: OpId = OpId(96);
    /// `aten::glu_jvp.out`
    pub const glu_jvp_out: OpId = OpId(97);
    /// `aten::glu.out`
    pub const glu_out: OpId = OpId(26);
    /// `aten::gradient.array`
    pub const gradient_array: OpId = OpId(2657);
    /// `aten::gradient.scalararray`
    pub const gradient_scalararray: OpId = OpId(2658);
    /// `aten::gradient.scalarint`
    pub const gradient_scalarint: OpId = OpId(2659);
    /// `aten::gradient.scalarrayarray`
    pub const gradient_scalarrayarray: OpId = OpId(2660);
    /// `aten::gradient.scalarrayint`
    pub const gradient_scalarrayint: OpId = OpId(2661);
    /// `aten::gradient.tensorarray`
    pub const gradient_tensorarray: OpId = OpId(2662);
    /// `aten::gradient.tensorarrayint`
    pub const gradient_tensorarrayint: OpId = OpId(2663);
    /// `aten::greater.Scalar`
    pub const greater_Scalar: OpId = OpId(1811);
    /// `aten::greater.Scalar_out`
    pub const greater_Scalar_out: OpId = OpId(1815);
    /// `aten::greater.Tensor`
    pub const greater_Tensor: OpId = OpId(1812);
    /// `aten::greater.Tensor_out`
    pub const greater_Tensor_out: OpId = OpId(1816);
    /// `aten::greater_.Scalar`
    pub const greater__Scalar: OpId = OpId(1813);
    /// `aten::greater_.Tensor`
    pub const greater__Tensor: OpId = OpId(1814);
    /// `aten::greater_equal.Scalar`
    pub const greater_equal_Scalar: OpId = OpId(1817);
    /// `aten::greater_equal.Scalar_out`
    pub const greater_equal_Scalar_out: OpId = OpId(1821);
    /// `aten::greater_equal.Tensor`
    pub const greater_equal_Tensor: OpId = OpId(1818);
    /// `aten::greater_equal.Tensor_out`
    pub const greater_equal_Tensor_out: OpId = OpId(1822);
    /// `aten::greater_equal_.Scalar`
    pub const greater_equal__Scalar: OpId = OpId(1819);
    /// `aten::greater_equal_.Tensor`
    pub const greater_equal__Tensor: OpId = OpId(1820);
    /// `aten::grid_sampler`
    pub const grid_sampler: OpId = OpId(3400);
    /// `aten::grid_sampler_2d`
    pub const grid_sampler_2d: OpId = OpId(3401);
    /// `aten::grid_sampler_2d_backward`
    pub const grid_sampler_2d_backward: OpId = OpId(3441);
    /// `aten::grid_sampler_2d_backward.out`
    pub const grid_sampler_2d_backward_out: OpId = OpId(3442);
    /// `aten::grid_sampler_2d.out`
    pub const grid_sampler_2d_out: OpId = OpId(3402);
    /// `aten::grid_sampler_3d`
    pub const grid_sampler_3d: OpId = OpId(3443);
    /// `aten::grid_sampler_3d_backward`
    pub const grid_sampler_3d_backward: OpId = OpId(3445);
    /// `aten::grid_sampler_3d_backward.out`
    pub const grid_sampler_3d_backward_out: OpId = OpId(3446);
    /// `aten::grid_sampler_3d.out`
    pub const grid_sampler_3d_out: OpId = OpId(3444);
    /// `aten::group_norm`
    pub const group_norm: OpId = OpId(1272);
    /// `aten::gru_cell`
    pub const gru_cell: OpId = OpId(2716);
    /// `aten::gru.data`
    pub const gru_data: OpId = OpId(2714);
    /// `aten::gru.input`
    pub const gru_input: OpId = OpId(2715);
    /// `aten::gt`
    pub const gt: OpId = OpId(2857);
    /// `aten::gt.Scalar`
    pub const gt_Scalar: OpId = OpId(1565);
    /// `aten::gt.Scalar_out`
    pub const gt_Scalar_out: OpId = OpId(1569);
    /// `aten::gt.Tensor`
    pub const gt_Tensor: OpId = OpId(1566);
    /// `aten::gt.Tensor_out`
    pub const gt_Tensor_out: OpId = OpId(1570);
    /// `aten::gt_.Scalar`
    pub const gt__Scalar: OpId = OpId(1567);
    /// `aten::gt_.Tensor`
    pub const gt__Tensor: OpId = OpId(1568);
    /// `aten::gt.float`
    pub const gt_float: OpId = OpId(2858);
    /// `aten::gt.float_int`
    pub const gt_float_int: OpId = OpId(2859);
    /// `aten::gt.int`
    pub const gt_int: OpId = OpId(2860);
    /// `aten::gt.int_float`
    pub const gt_int_float: OpId = OpId(2861);
    /// `aten::gt.str`
    pub const gt_str: OpId = OpId(3249);
    /// `aten::hamming_window`
    pub const hamming_window: OpId = OpId(542);
    /// `aten::hamming_window.out`
    pub const hamming_window_out: OpId = OpId(546);
    /// `aten::hamming_window.periodic`
    pub const hamming_window_periodic: OpId = OpId(543);
    /// `aten::hamming_window.periodic_alpha`
    pub const hamming_window_periodic_alpha: OpId = OpId(544);
    /// `aten::hamming_window.periodic_alpha_beta`
    pub const hamming_window_periodic_alpha_beta: OpId = OpId(545);
    /// `aten::hamming_window.periodic_alpha_beta_out`
    pub const hamming_window_periodic_alpha_beta_out: OpId = OpId(547);
    /// `aten::hamming_window.periodic_alpha_out`
    pub const hamming_window_periodic_alpha_out: OpId = OpId(548);
    /// `aten::hamming_window.periodic_out`
    pub const hamming_window_periodic_out: OpId = OpId(549);
    /// `aten::hann_window`
    pub const hann_window: OpId = OpId(550);
    /// `aten::hann_window.out`
    pub const hann_window_out: OpId = OpId(494);
    /// `aten::hann_window.periodic`
    pub const hann_window_periodic: OpId = OpId(493);
    /// `aten::hann_window.periodic_out`
    pub const hann_window_periodic_out: OpId = OpId(495);
    /// `aten::hardshrink`
    pub const hardshrink: OpId = OpId(27);
    /// `aten::hardshrink_backward`
    pub const hardshrink_backward: OpId = OpId(75);
    /// `aten::hardshrink_backward.grad_input`
    pub const hardshrink_backward_grad_input: OpId = OpId(76);
    /// `aten::hardshrink.out`
    pub const hardshrink_out: OpId = OpId(28);
    /// `aten::hardsigmoid`
    pub const hardsigmoid: OpId = OpId(29);
    /// `aten::hardsigmoid_`
    pub const hardsigmoid_: OpId = OpId(30);
    /// `aten::hardsigmoid_backward`
    pub const hardsigmoid_backward: OpId = OpId(77);
    /// `aten::hardsigmoid_backward.grad_input`
    pub const hardsigmoid_backward_grad_input: OpId = OpId(78);
    /// `aten::hardsigmoid.out`
    pub const hardsigmoid_out: OpId = OpId(31);
    /// `aten::hardswish`
    pub const hardswish: OpId = OpId(32);
    /// `aten::hardswish_`
    pub const hardswish_: OpId = OpId(33);
    /// `aten::hardswish_backward`
    pub const hardswish_backward: OpId = OpId(79);
    /// `aten::hardswish_backward.out`
    pub const hardswish_backward_out: OpId = OpId(80);
    /// `aten::hardswish.out`
    pub const hardswish_out: OpId = OpId(34);
    /// `aten::hardtanh`
    pub const hardtanh: OpId = OpId(35);
    /// `aten::hardtanh_`
    pub const hardtanh_: OpId = OpId(36);
    /// `aten::hardtanh_backward`
    pub const hardtanh_backward: OpId = OpId(38);
    /// `aten::hardtanh_backward.grad_input`
    pub const hardtanh_backward_grad_input: OpId = OpId(98);
    /// `aten::hardtanh.out`
    pub const hardtanh_out: OpId = OpId(37);
    /// `aten::hash_tensor`
    pub const hash_tensor: OpId = OpId(2664);
    /// `aten::hash_tensor.out`
    pub const hash_tensor_out: OpId = OpId(2665);
    /// `aten::heaviside`
    pub const heaviside: OpId = OpId(1571);
    /// `aten::heaviside_`
    pub const heaviside_: OpId = OpId(1572);
    /// `aten::heaviside.out`
    pub const heaviside_out: OpId = OpId(1573);
    /// `aten::hex`
    pub const hex: OpId = OpId(3027);
    /// `aten::hinge_embedding_loss`
    pub const hinge_embedding_loss: OpId = OpId(1139);
    /// `aten::histc`
    pub const histc: OpId = OpId(2573);
    /// `aten::histc.out`
    pub const histc_out: OpId = OpId(2574);
    /// `aten::histogram.bin_ct`
    pub const histogram_bin_ct: OpId = OpId(2666);
    /// `aten::histogram.bin_ct_out`
    pub const histogram_bin_ct_out: OpId = OpId(2668);
    /// `aten::histogram.bins_tensor`
    pub const histogram_bins_tensor: OpId = OpId(2667);
    /// `aten::histogram.bins_tensor_out`
    pub const histogram_bins_tensor_out: OpId = OpId(2669);
    /// `aten::histogramdd`
    pub const histogramdd: OpId = OpId(2670);
    /// `aten::histogramdd.TensorList_bins`
    pub const histogramdd_TensorList_bins: OpId = OpId(2671);
    /// `aten::histogramdd.int_bins`
    pub const histogramdd_int_bins: OpId = OpId(2672);
    /// `aten::hsplit.array`
    pub const hsplit_array: OpId = OpId(3535);
    /// `aten::hsplit.int`
    pub const hsplit_int: OpId = OpId(3536);
    /// `aten::hstack`
    pub const hstack: OpId = OpId(2421);
    /// `aten::hstack.out`
    pub const hstack_out: OpId = OpId(2422);
    /// `aten::huber_loss`
    pub const huber_loss: OpId = OpId(1115);
    /// `aten::huber_loss_backward`
    pub const huber_loss_backward: OpId = OpId(1140);
    /// `aten::huber_loss_backward.out`
    pub const huber_loss_backward_out: OpId = OpId(1141);
    /// `aten::huber_loss.out`
    pub const huber_loss_out: OpId = OpId(1116);
    /// `aten::hypot`
    pub const hypot: OpId = OpId(1574);
    /// `aten::hypot_`
    pub const hypot_: OpId = OpId(1575);
    /// `aten::hypot.out`
    pub const hypot_out: OpId = OpId(1576);
    /// `aten::i0`
    pub const i0: OpId = OpId(3079);
    /// `aten::i0_`
    pub const i0_: OpId = OpId(3080);
    /// `aten::i0.out`
    pub const i0_out: OpId = OpId(3081);
    /// `aten::igamma`
    pub const igamma: OpId = OpId(3082);
    /// `aten::igamma_`
    pub const igamma_: OpId = OpId(3083);
    /// `aten::igamma.out`
    pub const igamma_out: OpId = OpId(3084);
    /// `aten::igammac`
    pub const igammac: OpId = OpId(3085);
    /// `aten::igammac_`
    pub const igammac_: OpId = OpId(3086);
    /// `aten::igammac.out`
    pub const igammac_out: OpId = OpId(3087);
    /// `aten::im2col`
    pub const im2col: OpId = OpId(132);
    /// `aten::im2col.out`
    pub const im2col_out: OpId = OpId(133);
    /// `aten::imag`
    pub const imag: OpId = OpId(3477);
    /// `aten::index.Tensor`
    pub const index_Tensor: OpId = OpId(791);
    /// `aten::index.Tensor_hacked_twin`
    pub const index_Tensor_hacked_twin: OpId = OpId(792);
    /// `aten::index.Tensor_out`
    pub const index_Tensor_out: OpId = OpId(793);
    /// `aten::index_add`
    pub const index_add: OpId = OpId(794);
    /// `aten::index_add_`
    pub const index_add_: OpId = OpId(795);
    /// `aten::index_add.out`
    pub const index_add_out: OpId = OpId(796);
    /// `aten::index_copy`
    pub const index_copy: OpId = OpId(840);
    /// `aten::index_copy_`
    pub const index_copy_: OpId = OpId(841);
    /// `aten::index_copy.out`
    pub const index_copy_out: OpId = OpId(842);
    /// `aten::index_fill_.int_Scalar`
    pub const index_fill__int_Scalar: OpId = OpId(845);
    /// `aten::index_fill_.int_Tensor`
    pub const index_fill__int_Tensor: OpId = OpId(846);
    /// `aten::index_fill.int_Scalar`
    pub const index_fill_int_Scalar: OpId = OpId(843);
    /// `aten::index_fill.int_Scalar_out`
    pub const index_fill_int_Scalar_out: OpId = OpId(847);
    /// `aten::index_fill.int_Tensor`
    pub const index_fill_int_Tensor: OpId = OpId(844);
    /// `aten::index_fill.int_Tensor_out`
    pub const index_fill_int_Tensor_out: OpId = OpId(848);
    /// `aten::index.list_Tensor`
    pub const index_list_Tensor: OpId = OpId(1022);
    /// `aten::index.list_bool`
    pub const index_list_bool: OpId = OpId(1023);
    /// `aten::index.list_float`
    pub const index_list_float: OpId = OpId(1024);
    /// `aten::index.list_int`
    pub const index_list_int: OpId = OpId(1025);
    /// `aten::index.list_str`
    pub const index_list_str: OpId = OpId(1026);
    /// `aten::index_put`
    pub const index_put: OpId = OpId(797);
    /// `aten::index_put_`
    pub const index_put_: OpId = OpId(799);
    /// `aten::index_put_.hacked_twin`
    pub const index_put__hacked_twin: OpId = OpId(800);
    /// `aten::index_put.hacked_twin`
    pub const index_put_hacked_twin: OpId = OpId(798);
    /// `aten::index_put.out`
    pub const index_put_out: OpId = OpId(801);
    /// `aten::index_reduce`
    pub const index_reduce: OpId = OpId(849);
    /// `aten::index_reduce_`
    pub const index_reduce_: OpId = OpId(850);
    /// `aten::index_reduce.out`
    pub const index_reduce_out: OpId = OpId(851);
    /// `aten::index_select`
    pub const index_select: OpId = OpId(802);
    /// `aten::index_select.out`
    pub const index_select_out: OpId = OpId(803);
    /// `aten::index.str`
    pub const index_str: OpId = OpId(3250);
    /// `aten::inner`
    pub const inner: OpId = OpId(1248);
    /// `aten::inner.out`
    pub const inner_out: OpId = OpId(1249);
    /// `aten::insert.t`
    pub const insert_t: OpId = OpId(1027);
    /// `aten::instance_norm`
    pub const instance_norm: OpId = OpId(1273);
    /// `aten::int_repr`
    pub const int_repr: OpId = OpId(2095);
    /// `aten::int_repr.out`
    pub const int_repr_out: OpId = OpId(2096);
    /// `aten::inverse`
    pub const inverse: OpId = OpId(904);
    /// `aten::inverse.out`
    pub const inverse_out: OpId = OpId(905);
    /// `aten::is_autocast_cpu_enabled`
    pub const is_autocast_cpu_enabled: OpId = OpId(2046);
    /// `aten::is_autocast_enabled`
    pub const is_autocast_enabled: OpId = OpId(2047);
    /// `aten::is_complex`
    pub const is_complex: OpId = OpId(3298);
    /// `aten::is_conj`
    pub const is_conj: OpId = OpId(3333);
    /// `aten::is_contiguous`
    pub const is_contiguous: OpId = OpId(3299);
    /// `aten::is_contiguous.memory_format`
    pub const is_contiguous_memory_format: OpId = OpId(3300);
    /// `aten::is_distributed`
    pub const is_distributed: OpId = OpId(3334);
    /// `aten::is_floating_point`
    pub const is_floating_point: OpId = OpId(3301);
    /// `aten::is_grad_enabled`
    pub const is_grad_enabled: OpId = OpId(2048);
    /// `aten::is_inference`
    pub const is_inference: OpId = OpId(3335);
    /// `aten::is_leaf`
    pub const is_leaf: OpId = OpId(3336);
    /// `aten::is_neg`
    pub const is_neg: OpId = OpId(3337);
    /// `aten::is_non_overlapping_and_dense`
    pub const is_non_overlapping_and_dense: OpId = OpId(3338);
    /// `aten::is_nonzero`
    pub const is_nonzero: OpId = OpId(3339);
    /// `aten::is_same_size`
    pub const is_same_size: OpId = OpId(3340);
    /// `aten::is_set_to`
    pub const is_set_to: OpId = OpId(3341);
    /// `aten::is_signed`
    pub const is_signed: OpId = OpId(3342);
    /// `aten::is_strides_like_format`
    pub const is_strides_like_format: OpId = OpId(3343);
    /// `aten::isalnum`
    pub const isalnum: OpId = OpId(3251);
    /// `aten::isalpha`
    pub const isalpha: OpId = OpId(3252);
    /// `aten::isclose`
    pub const isclose: OpId = OpId(1577);
    /// `aten::isdecimal`
    pub const isdecimal: OpId = OpId(3289);
    /// `aten::isdigit`
    pub const isdigit: OpId = OpId(3253);
    /// `aten::isfinite`
    pub const isfinite: OpId = OpId(1578);
    /// `aten::isfinite.complex`
    pub const isfinite_complex: OpId = OpId(2862);
    /// `aten::isfinite.float`
    pub const isfinite_float: OpId = OpId(2863);
    /// `aten::isidentifier`
    pub const isidentifier: OpId = OpId(3254);
    /// `aten::isin.Scalar_Tensor`
    pub const isin_Scalar_Tensor: OpId = OpId(2673);
    /// `aten::isin.Scalar_Tensor_out`
    pub const isin_Scalar_Tensor_out: OpId = OpId(2676);
    /// `aten::isin.Tensor_Scalar`
    pub const isin_Tensor_Scalar: OpId = OpId(2674);
    /// `aten::isin.Tensor_Scalar_out`
    pub const isin_Tensor_Scalar_out: OpId = OpId(2677);
    /// `aten::isin.Tensor_Tensor`
    pub const isin_Tensor_Tensor: OpId = OpId(2675);
    /// `aten::isin.Tensor_Tensor_out`
    pub const isin_Tensor_Tensor_out: OpId = OpId(2678);
    /// `aten::isinf`
    pub const isinf: OpId = OpId(1579);
    /// `aten::isinf.complex`
    pub const isinf_complex: OpId = OpId(2864);
    /// `aten::isinf.float`
    pub const isinf_float: OpId = OpId(2865);
    /// `aten::isinf.out`
    pub const isinf_out: OpId = OpId(1580);
    /// `aten::islower`
    pub const islower: OpId = OpId(3255);
    /// `aten::isnan`
    pub const isnan: OpId = OpId(1581);
    /// `aten::isnan.complex`
    pub const isnan_complex: OpId = OpId(2866);
    /// `aten::isnan.float`
    pub const isnan_float: OpId = OpId(2867);
    /// `aten::isnan.out`
    pub const isnan_out: OpId = OpId(1582);
    /// `aten::isneginf`
    pub const isneginf: OpId = OpId(1583);
    /// `aten::isneginf.out`
    pub const isneginf_out: OpId = OpId(1584);
    /// `aten::isnumeric`
    pub const isnumeric: OpId = OpId(3290);
    /// `aten::isposinf`
    pub const isposinf: OpId = OpId(1585);
    /// `aten::isposinf.out`
    pub const isposinf_out: OpId = OpId(1586);
    /// `aten::isprintable`
    pub const isprintable: OpId = OpId(3256);
    /// `aten::isreal`
    pub const isreal: OpId = OpId(3344);
    /// `aten::isspace`
    pub const isspace: OpId = OpId(3257);
    /// `aten::istft`
    pub const istft: OpId = OpId(551);
    /// `aten::istitle`
    pub const istitle: OpId = OpId(3258);
    /// `aten::isupper`
    pub const isupper: OpId = OpId(3259);
    /// `aten::item`
    pub const item: OpId = OpId(2868);
    /// `aten::items.Tensor`
    pub const items_Tensor: OpId = OpId(363);
    /// `aten::items.bool`
    pub const items_bool: OpId = OpId(364);
    /// `aten::items.complex`
    pub const items_complex: OpId = OpId(365);
    /// `aten::items.float`
    pub const items_float: OpId = OpId(366);
    /// `aten::items.int`
    pub const items_int: OpId = OpId(367);
    /// `aten::items.str`
    pub const items_str: OpId = OpId(368);
    /// `aten::join`
    pub const join: OpId = OpId(3260);
    /// `aten::kaiser_window`
    pub const kaiser_window: OpId = OpId(552);
    /// `aten::kaiser_window.beta`
    pub const kaiser_window_beta: OpId = OpId(553);
    /// `aten::kaiser_window.beta_out`
    pub const kaiser_window_beta_out: OpId = OpId(555);
    /// `aten::kaiser_window.out`
    pub const kaiser_window_out: OpId = OpId(556);
    /// `aten::kaiser_window.periodic`
    pub const kaiser_window_periodic: OpId = OpId(554);
    /// `aten::kaiser_window.periodic_out`
    pub const kaiser_window_periodic_out: OpId = OpId(557);
    /// `aten::keys.Tensor`
    pub const keys_Tensor: OpId = OpId(369);
    /// `aten::keys.bool`
    pub const keys_bool: OpId = OpId(370);
    /// `aten::keys.complex`
    pub const keys_complex: OpId = OpId(371);
    /// `aten::keys.float`
    pub const keys_float: OpId = OpId(372);
    /// `aten::keys.int`
    pub const keys_int: OpId = OpId(373);
    /// `aten::keys.str`
    pub const keys_str: OpId = OpId(374);
    /// `aten::kl_div`
    pub const kl_div: OpId = OpId(1117);
    /// `aten::kron`
    pub const kron: OpId = OpId(1250);
    /// `aten::kron.out`
    pub const kron_out: OpId = OpId(1251);
    /// `aten::kthvalue`
    pub const kthvalue: OpId = OpId(3057);
    /// `aten::kthvalue.values`
    pub const kthvalue_values: OpId = OpId(3058);
    /// `aten::l1_loss`
    pub const l1_loss: OpId = OpId(1118);
    /// `aten::layer_norm`
    pub const layer_norm: OpId = OpId(1274);
    /// `aten::lcm`
    pub const lcm: OpId = OpId(1823);
    /// `aten::lcm_`
    pub const lcm_: OpId = OpId(1824);
    /// `aten::lcm.out`
    pub const lcm_out: OpId = OpId(1825);
    /// `aten::ldexp`
    pub const ldexp: OpId = OpId(2869);
    /// `aten::ldexp_`
    pub const ldexp_: OpId = OpId(1588);
    /// `aten::ldexp.Tensor`
    pub const ldexp_Tensor: OpId = OpId(1587);
    /// `aten::ldexp.out`
    pub const ldexp_out: OpId = OpId(1589);
    /// `aten::le`
    pub const le: OpId = OpId(2870);
    /// `aten::le.Scalar`
    pub const le_Scalar: OpId = OpId(1590);
    /// `aten::le.Scalar_out`
    pub const le_Scalar_out: OpId = OpId(1594);
    /// `aten::le.Tensor`
    pub const le_Tensor: OpId = OpId(1591);
    /// `aten::le.Tensor_out`
    pub const le_Tensor_out: OpId = OpId(1595);
    /// `aten::le_.Scalar`
    pub const le__Scalar: OpId = OpId(1592);
    /// `aten::le_.Tensor`
    pub const le__Tensor: OpId = OpId(1593);
    /// `aten::le.float`
    pub const le_float: OpId = OpId(2871);
    /// `aten::le.float_int`
    pub const le_float_int: OpId = OpId(2872);
    /// `aten::le.int`
    pub const le_int: OpId = OpId(2873);
    /// `aten::le.int_float`
    pub const le_int_float: OpId = OpId(2874);
    /// `aten::le.str`
    pub const le_str: OpId = OpId(3261);
    /// `aten::leaky_relu`
    pub const leaky_relu: OpId = OpId(39);
    /// `aten::leaky_relu_`
    pub const leaky_relu_: OpId = OpId(40);
    /// `aten::leaky_relu_backward`
    pub const leaky_relu_backward: OpId = OpId(42);
    /// `aten::leaky_relu.out`
    pub const leaky_relu_out: OpId = OpId(41);
    /// `aten::len.Dict_Tensor`
    pub const len_Dict_Tensor: OpId = OpId(375);
    /// `aten::len.Dict_bool`
    pub const len_Dict_bool: OpId = OpId(376);
    /// `aten::len.Dict_complex`
    pub const len_Dict_complex: OpId = OpId(377);
    /// `aten::len.Dict_float`
    pub const len_Dict_float: OpId = OpId(378);
    /// `aten::len.Dict_int`
    pub const len_Dict_int: OpId = OpId(379);
    /// `aten::len.Dict_str`
    pub const len_Dict_str: OpId = OpId(380);
    /// `aten::len.Tensor`
    pub const len_Tensor: OpId = OpId(3302);
    /// `aten::len.any`
    pub const len_any: OpId = OpId(1028);
    /// `aten::len.str`
    pub const len_str: OpId = OpId(3262);
    /// `aten::len.t`
    pub const len_t: OpId = OpId(1029);
    /// `aten::lerp.Scalar`
    pub const lerp_Scalar: OpId = OpId(1596);
    /// `aten::lerp.Scalar_out`
    pub const lerp_Scalar_out: OpId = OpId(1600);
    /// `aten::lerp.Tensor`
    pub const lerp_Tensor: OpId = OpId(1597);
    /// `aten::lerp.Tensor_out`
    pub const lerp_Tensor_out: OpId = OpId(1601);
    /// `aten::lerp_.Scalar`
    pub const lerp__Scalar: OpId = OpId(1598);
    /// `aten::lerp_.Tensor`
    pub const lerp__Tensor: OpId = OpId(1599);
    /// `aten::less.Scalar`
    pub const less_Scalar: OpId = OpId(1826);
    /// `aten::less.Scalar_out`
    pub const less_Scalar_out: OpId = OpId(1830);
    /// `aten::less.Tensor`
    pub const less_Tensor: OpId = OpId(1827);
    /// `aten::less.Tensor_out`
    pub const less_Tensor_out: OpId = OpId(1831);
    /// `aten::less_.Scalar`
    pub const less__Scalar: OpId = OpId(1828);
    /// `aten::less_.Tensor`
    pub const less__Tensor: OpId = OpId(1829);
    /// `aten::less_equal.Scalar`
    pub const less_equal_Scalar: OpId = OpId(1832);
    /// `aten::less_equal.Scalar_out`
    pub const less_equal_Scalar_out: OpId = OpId(1836);
    /// `aten::less_equal.Tensor`
    pub const less_equal_Tensor: OpId = OpId(1833);
    /// `aten::less_equal.Tensor_out`
    pub const less_equal_Tensor_out: OpId = OpId(1837);
    /// `aten::less_equal_.Scalar`
    pub const less_equal__Scalar: OpId = OpId(1834);
    /// `aten::less_equal_.Tensor`
    pub const less_equal__Tensor: OpId = OpId(1835);
    /// `aten::lgamma`
    pub const lgamma: OpId = OpId(1602);
    /// `aten::lgamma_`
    pub const lgamma_: OpId = OpId(1603);
    /// `aten::lgamma.Scalar`
    pub const lgamma_Scalar: OpId = OpId(2875);
    /// `aten::lgamma.float`
    pub const lgamma_float: OpId = OpId(2876);
    /// `aten::lgamma.int`
    pub const lgamma_int: OpId = OpId(2877);
    /// `aten::lgamma.out`
    pub const lgamma_out: OpId = OpId(1604);
    /// `aten::lift`
    pub const lift: OpId = OpId(3537);
    /// `aten::lift_fresh`
    pub const lift_fresh: OpId = OpId(3539);
    /// `aten::lift_fresh_copy`
    pub const lift_fresh_copy: OpId = OpId(157);
    /// `aten::lift_fresh_copy.out`
    pub const lift_fresh_copy_out: OpId = OpId(158);
    /// `aten::lift.out`
    pub const lift_out: OpId = OpId(3538);
    /// `aten::linalg__powsum`
    pub const linalg__powsum: OpId = OpId(2679);
    /// `aten::linalg_cholesky`
    pub const linalg_cholesky: OpId = OpId(859);
    /// `aten::linalg_cholesky_ex`
    pub const linalg_cholesky_ex: OpId = OpId(906);
    /// `aten::linalg_cholesky_ex.L`
    pub const linalg_cholesky_ex_L: OpId = OpId(907);
    /// `aten::linalg_cholesky.out`
    pub const linalg_cholesky_out: OpId = OpId(860);
    /// `aten::linalg_cond`
    pub const linalg_cond: OpId = OpId(908);
    /// `aten::linalg_cond.out`
    pub const linalg_cond_out: OpId = OpId(909);
    /// `aten::linalg_cross`
    pub const linalg_cross: OpId = OpId(861);
    /// `aten::linalg_cross.out`
    pub const linalg_cross_out: OpId = OpId(862);
    /// `aten::linalg_det`
    pub const linalg_det: OpId = OpId(863);
    /// `aten::linalg_det.out`
    pub const linalg_det_out: OpId = OpId(864);
    /// `aten::linalg_diagonal`
    pub const linalg_diagonal: OpId = OpId(3540);
    /// `aten::linalg_eig`
    pub const linalg_eig: OpId = OpId(910);
    /// `aten::linalg_eig.out`
    pub const linalg_eig_out: OpId = OpId(911);
    /// `aten::linalg_eigh`
    pub const linalg_eigh: OpId = OpId(912);
    /// `aten::linalg_eigh.eigvals`
    pub const linalg_eigh_eigvals: OpId = OpId(913);
    /// `aten::linalg_eigvals`
    pub const linalg_eigvals: OpId = OpId(914);
    /// `aten::linalg_eigvals.out`
    pub const linalg_eigvals_out: OpId = OpId(915);
    /// `aten::linalg_eigvalsh`
    pub const linalg_eigvalsh: OpId = OpId(916);
    /// `aten::linalg_eigvalsh.out`
    pub const linalg_eigvalsh_out: OpId = OpId(917);
    /// `aten::linalg_householder_product`
    pub const linalg_householder_product: OpId = OpId(918);
    /// `aten::linalg_householder_product.out`
    pub const linalg_householder_product_out: OpId = OpId(919);
    /// `aten::linalg_inv`
    pub const linalg_inv: OpId = OpId(865);
    /// `aten::linalg_inv_ex`
    pub const linalg_inv_ex: OpId = OpId(920);
    /// `aten::linalg_inv_ex.inverse`
    pub const linalg_inv_ex_inverse: OpId = OpId(921);
    /// `aten::linalg_inv.out`
    pub const linalg_inv_out: OpId = OpId(866);
    /// `aten::linalg_ldl_factor`
    pub const linalg_ldl_factor: OpId = OpId(922);
    /// `aten::linalg_ldl_factor_ex`
    pub const linalg_ldl_factor_ex: OpId = OpId(924);
    /// `aten::linalg_ldl_factor_ex.out`
    pub const linalg_ldl_factor_ex_out: OpId = OpId(925);
    /// `aten::linalg_ldl_factor.out`
    pub const linalg_ldl_factor_out: OpId = OpId(923);
    /// `aten::linalg_ldl_solve`
    pub const linalg_ldl_solve: OpId = OpId(926);
    /// `aten::linalg_ldl_solve.out`
    pub const linalg_ldl_solve_out: OpId = OpId(927);
    /// `aten::linalg_lstsq`
    pub const linalg_lstsq: OpId = OpId(928);
    /// `aten::linalg_lstsq.out`
    pub const linalg_lstsq_out: OpId = OpId(929);
    /// `aten::linalg_lu`
    pub const linalg_lu: OpId = OpId(930);
    /// `aten::linalg_lu_factor`
    pub const linalg_lu_factor: OpId = OpId(932);
    /// `aten::linalg_lu_factor_ex`
    pub const linalg_lu_factor_ex: OpId = OpId(934);
    /// `aten::linalg_lu_factor_ex.out`
    pub const linalg_lu_factor_ex_out: OpId = OpId(935);
    /// `aten::linalg_lu_factor.out`
    pub const linalg_lu_factor_out: OpId = OpId(933);
    /// `aten::linalg_lu.out`
    pub const linalg_lu_out: OpId = OpId(931);
    /// `aten::linalg_lu_solve`
    pub const linalg_lu_solve: OpId = OpId(936);
    /// `aten::linalg_lu_solve.out`
    pub const linalg_lu_solve_out: OpId = OpId(937);
    /// `aten::linalg_matmul`
    pub const linalg_matmul: OpId = OpId(1252);
    /// `aten::linalg_matmul.out`
    pub const linalg_matmul_out: OpId = OpId(1253);
    /// `aten::linalg_matrix_exp`
    pub const linalg_matrix_exp: OpId = OpId(938);
    /// `aten::linalg_matrix_exp.out`
    pub const linalg_matrix_exp_out: OpId = OpId(939);
    /// `aten::linalg_matrix_norm`
    pub const linalg_matrix_norm: OpId = OpId(867);
    /// `aten::linalg_matrix_norm.out`
    pub const linalg_matrix_norm_out: OpId = OpId(869);
    /// `aten::linalg_matrix_norm.str_ord`
    pub const linalg_matrix_norm_str_ord: OpId = OpId(868);
    /// `aten::linalg_matrix_norm.str_ord_out`
    pub const linalg_matrix_norm_str_ord_out: OpId = OpId(870);
    /// `aten::linalg_matrix_power`
    pub const linalg_matrix_power: OpId = OpId(1203);
    /// `aten::linalg_matrix_power.out`
    pub const linalg_matrix_power_out: OpId = OpId(1204);
    /// `aten::linalg_matrix_rank`
    pub const linalg_matrix_rank: OpId = OpId(940);
    /// `aten::linalg_matrix_rank.atol_rtol_float`
    pub const linalg_matrix_rank_atol_rtol_float: OpId = OpId(941);
    /// `aten::linalg_matrix_rank.atol_rtol_float_out`
    pub const linalg_matrix_rank_atol_rtol_float_out: OpId = OpId(944);
    /// `aten::linalg_matrix_rank.atol_rtol_tensor`
    pub const linalg_matrix_rank_atol_rtol_tensor: OpId = OpId(942);
    /// `aten::linalg_matrix_rank.atol_rtol_tensor_out`
    pub const linalg_matrix_rank_atol_rtol_tensor_out: OpId = OpId(945);
    /// `aten::linalg_matrix_rank.out`
    pub const linalg_matrix_rank_out: OpId = OpId(946);
    /// `aten::linalg_matrix_rank.out_tol_tensor`
    pub const linalg_matrix_rank_out_tol_tensor: OpId = OpId(947);
    /// `aten::linalg_matrix_rank.tol_tensor`
    pub const linalg_matrix_rank_tol_tensor: OpId = OpId(943);
    /// `aten::linalg_matrix_sqrth`
    pub const linalg_matrix_sqrth: OpId = OpId(948);
    /// `aten::linalg_matrix_sqrth.out`
    pub const linalg_matrix_sqrth_out: OpId = OpId(949);
    /// `aten::linalg_multi_dot`
    pub const linalg_multi_dot: OpId = OpId(1254);
    /// `aten::linalg_multi_dot.out`
    pub const linalg_multi_dot_out: OpId = OpId(1255);
    /// `aten::linalg_norm`
    pub const linalg_norm: OpId = OpId(871);
    /// `aten::linalg_norm.ord_str`
    pub const linalg_norm_ord_str: OpId = OpId(872);
    /// `aten::linalg_norm.ord_str_out`
    pub const linalg_norm_ord_str_out: OpId = OpId(873);
    /// `aten::linalg_norm.out`
    pub const linalg_norm_out: OpId = OpId(874);
    /// `aten::linalg_pinv`
    pub const linalg_pinv: OpId = OpId(950);
    /// `aten::linalg_pinv.atol_rtol_float`
    pub const linalg_pinv_atol_rtol_float: OpId = OpId(951);
    /// `aten::linalg_pinv.atol_rtol_float_out`
    pub const linalg_pinv_atol_rtol_float_out: OpId = OpId(954);
    /// `aten::linalg_pinv.atol_rtol_tensor`
    pub const linalg_pinv_atol_rtol_tensor: OpId = OpId(952);
    /// `aten::linalg_pinv.atol_rtol_tensor_out`
    pub const linalg_pinv_atol_rtol_tensor_out: OpId = OpId(955);
    /// `aten::linalg_pinv.out`
    pub const linalg_pinv_out: OpId = OpId(956);
    /// `aten::linalg_pinv.out_rcond_tensor`
    pub const linalg_pinv_out_rcond_tensor: OpId = OpId(957);
    /// `aten::linalg_pinv.rcond_tensor`
    pub const linalg_pinv_rcond_tensor: OpId = OpId(953);
    /// `aten::linalg_polar`
    pub const linalg_polar: OpId = OpId(958);
    /// `aten::linalg_polar.out`
    pub const linalg_polar_out: OpId = OpId(959);
    /// `aten::linalg_qr`
    pub const linalg_qr: OpId = OpId(875);
    /// `aten::linalg_qr.out`
    pub const linalg_qr_out: OpId = OpId(960);
    /// `aten::linalg_slogdet`
    pub const linalg_slogdet: OpId = OpId(876);
    /// `aten::linalg_slogdet.out`
    pub const linalg_slogdet_out: OpId = OpId(961);
    /// `aten::linalg_solve`
    pub const linalg_solve: OpId = OpId(877);
    /// `aten::linalg_solve_ex`
    pub const linalg_solve_ex: OpId = OpId(962);
    /// `aten::linalg_solve_ex.out`
    pub const linalg_solve_ex_out: OpId = OpId(963);
    /// `aten::linalg_solve.out`
    pub const linalg_solve_out: OpId = OpId(878);
    /// `aten::linalg_solve_triangular`
    pub const linalg_solve_triangular: OpId = OpId(964);
    /// `aten::linalg_solve_triangular.out`
    pub const linalg_solve_triangular_out: OpId = OpId(965);
    /// `aten::linalg_svd`
    pub const linalg_svd: OpId = OpId(966);
    /// `aten::linalg_svd.U`
    pub const linalg_svd_U: OpId = OpId(967);
    /// `aten::linalg_svdvals`
    pub const linalg_svdvals: OpId = OpId(968);
    /// `aten::linalg_svdvals.out`
    pub const linalg_svdvals_out: OpId = OpId(969);
    /// `aten::linalg_tensorinv`
    pub const linalg_tensorinv: OpId = OpId(970);
    /// `aten::linalg_tensorinv.out`
    pub const linalg_tensorinv_out: OpId = OpId(971);
    /// `aten::linalg_tensorsolve`
    pub const linalg_tensorsolve: OpId = OpId(972);
    /// `aten::linalg_tensorsolve.out`
    pub const linalg_tensorsolve_out: OpId = OpId(973);
    /// `aten::linalg_vander`
    pub const linalg_vander: OpId = OpId(974);
    /// `aten::linalg_vecdot`
    pub const linalg_vecdot: OpId = OpId(1256);
    /// `aten::linalg_vecdot.out`
    pub const linalg_vecdot_out: OpId = OpId(1257);
    /// `aten::linalg_vector_norm`
    pub const linalg_vector_norm: OpId = OpId(2575);
    /// `aten::linalg_vector_norm.out`
    pub const linalg_vector_norm_out: OpId = OpId(2576);
    /// `aten::linear`
    pub const linear: OpId = OpId(1205);
    /// `aten::linear.out`
    pub const linear_out: OpId = OpId(1206);
    /// `aten::linspace`
    pub const linspace: OpId = OpId(230);
    /// `aten::linspace.Scalar_Tensor`
    pub const linspace_Scalar_Tensor: OpId = OpId(231);
    /// `aten::linspace.Scalar_Tensor_out`
    pub const linspace_Scalar_Tensor_out: OpId = OpId(234);
    /// `aten::linspace.Tensor_Scalar`
    pub const linspace_Tensor_Scalar: OpId = OpId(232);
    /// `aten::linspace.Tensor_Scalar_out`
    pub const linspace_Tensor_Scalar_out: OpId = OpId(235);
    /// `aten::linspace.Tensor_Tensor`
    pub const linspace_Tensor_Tensor: OpId = OpId(233);
    /// `aten::linspace.Tensor_Tensor_out`
    pub const linspace_Tensor_Tensor_out: OpId = OpId(236);
    /// `aten::linspace.out`
    pub const linspace_out: OpId = OpId(237);
    /// `aten::list`
    pub const list: OpId = OpId(3263);
    /// `aten::list.t`
    pub const list_t: OpId = OpId(1030);
    /// `aten::ljust`
    pub const ljust: OpId = OpId(3264);
    /// `aten::log`
    pub const log: OpId = OpId(1605);
    /// `aten::log10`
    pub const log10: OpId = OpId(1608);
    /// `aten::log10_`
    pub const log10_: OpId = OpId(1609);
    /// `aten::log10.Scalar`
    pub const log10_Scalar: OpId = OpId(3028);
    /// `aten::log10.complex`
    pub const log10_complex: OpId = OpId(3029);
    /// `aten::log10.float`
    pub const log10_float: OpId = OpId(3030);
    /// `aten::log10.int`
    pub const log10_int: OpId = OpId(3031);
    /// `aten::log10.out`
    pub const log10_out: OpId = OpId(1610);
    /// `aten::log1p`
    pub const log1p: OpId = OpId(1611);
    /// `aten::log1p_`
    pub const log1p_: OpId = OpId(1612);
    /// `aten::log1p.Scalar`
    pub const log1p_Scalar: OpId = OpId(2892);
    /// `aten::log1p.float`
    pub const log1p_float: OpId = OpId(2893);
    /// `aten::log1p.int`
    pub const log1p_int: OpId = OpId(2894);
    /// `aten::log1p.out`
    pub const log1p_out: OpId = OpId(1613);
    /// `aten::log2`
    pub const log2: OpId = OpId(1614);
    /// `aten::log2_`
    pub const log2_: OpId = OpId(1615);
    /// `aten::log2.out`
    pub const log2_out: OpId = OpId(1616);
    /// `aten::log_`
    pub const log_: OpId = OpId(1606);
    /// `aten::log.Scalar`
    pub const log_Scalar: OpId = OpId(2878);
    /// `aten::log.Scalar_Scalar`
    pub const log_Scalar_Scalar: OpId = OpId(2879);
    /// `aten::log.complex`
    pub const log_complex: OpId = OpId(2880);
    /// `aten::log.complex_complex`
    pub const log_complex_complex: OpId = OpId(2881);
    /// `aten::log.complex_float`
    pub const log_complex_float: OpId = OpId(2882);
    /// `aten::log.complex_int`
    pub const log_complex_int: OpId = OpId(2883);
    /// `aten::log.float`
    pub const log_float: OpId = OpId(2884);
    /// `aten::log.float_complex`
    pub const log_float_complex: OpId = OpId(2885);
    /// `aten::log.float_float`
    pub const log_float_float: OpId = OpId(2886);
    /// `aten::log.float_int`
    pub const log_float_int: OpId = OpId(2887);
    /// `aten::log.int`
    pub const log_int: OpId = OpId(2888);
    /// `aten::log.int_complex`
    pub const log_int_complex: OpId = OpId(2889);
    /// `aten::log.int_float`
    pub const log_int_float: OpId = OpId(2890);
    /// `aten::log.int_int`
    pub const log_int_int: OpId = OpId(2891);
    /// `aten::log_normal`
    pub const log_normal: OpId = OpId(2374);
    /// `aten::log_normal_`
    pub const log_normal_: OpId = OpId(2375);
    /// `aten::log_normal.out`
    pub const log_normal_out: OpId = OpId(2376);
    /// `aten::log.out`
    pub const log_out: OpId = OpId(1607);
    /// `aten::log_sigmoid`
    pub const log_sigmoid: OpId = OpId(43);
    /// `aten::log_sigmoid_backward`
    pub const log_sigmoid_backward: OpId = OpId(45);
    /// `aten::log_sigmoid_backward.grad_input`
    pub const log_sigmoid_backward_grad_input: OpId = OpId(99);
    /// `aten::log_sigmoid_forward`
    pub const log_sigmoid_forward: OpId = OpId(46);
    /// `aten::log_sigmoid_forward.output`
    pub const log_sigmoid_forward_output: OpId = OpId(47);
    /// `aten::log_sigmoid.out`
    pub const log_sigmoid_out: OpId = OpId(44);
    /// `aten::log_softmax.int`
    pub const log_softmax_int: OpId = OpId(48);
    /// `aten::log_softmax.int_out`
    pub const log_softmax_int_out: OpId = OpId(49);
    /// `aten::logaddexp`
    pub const logaddexp: OpId = OpId(1617);
    /// `aten::logaddexp2`
    pub const logaddexp2: OpId = OpId(1619);
    /// `aten::logaddexp2.out`
    pub const logaddexp2_out: OpId = OpId(1620);
    /// `aten::logaddexp.out`
    pub const logaddexp_out: OpId = OpId(1618);
    /// `aten::logcumsumexp`
    pub const logcumsumexp: OpId = OpId(2577);
    /// `aten::logcumsumexp.out`
    pub const logcumsumexp_out: OpId = OpId(2578);
    /// `aten::logdet`
    pub const logdet: OpId = OpId(975);
    /// `aten::logical_and`
    pub const logical_and: OpId = OpId(1621);
    /// `aten::logical_and_`
    pub const logical_and_: OpId = OpId(1622);
    /// `aten::logical_and.out`
    pub const logical_and_out: OpId = OpId(1623);
    /// `aten::logical_not`
    pub const logical_not: OpId = OpId(1624);
    /// `aten::logical_not_`
    pub const logical_not_: OpId = OpId(1625);
    /// `aten::logical_not.out`
    pub const logical_not_out: OpId = OpId(1626);
    /// `aten::logical_or`
    pub const logical_or: OpId = OpId(1627);
    /// `aten::logical_or_`
    pub const logical_or_: OpId = OpId(1628);
    /// `aten::logical_or.out`
    pub const logical_or_out: OpId = OpId(1629);
    /// `aten::logical_xor`
    pub const logical_xor: OpId = OpId(1630);
    /// `aten::logical_xor_`
    pub const logical_xor_: OpId = OpId(1631);
    /// `aten::logical_xor.out`
    pub const logical_xor_out: OpId = OpId(1632);
    /// `aten::logit`
    pub const logit: OpId = OpId(1633);
    /// `aten::logit_`
    pub const logit_: OpId = OpId(1634);
    /// `aten::logit_backward`
    pub const logit_backward: OpId = OpId(81);
    /// `aten::logit_backward.grad_input`
    pub const logit_backward_grad_input: OpId = OpId(82);
    /// `aten::logit.out`
    pub const logit_out: OpId = OpId(1635);
    /// `aten::logspace`
    pub const logspace: OpId = OpId(238);
    /// `aten::logspace.Scalar_Tensor`
    pub const logspace_Scalar_Tensor: OpId = OpId(239);
    /// `aten::logspace.Scalar_Tensor_out`
    pub const logspace_Scalar_Tensor_out: OpId = OpId(242);
    /// `aten::logspace.Tensor_Scalar`
    pub const logspace_Tensor_Scalar: OpId = OpId(240);
    /// `aten::logspace.Tensor_Scalar_out`
    pub const logspace_Tensor_Scalar_out: OpId = OpId(243);
    /// `aten::logspace.Tensor_Tensor`
    pub const logspace_Tensor_Tensor: OpId = OpId(241);
    /// `aten::logspace.Tensor_Tensor_out`
    pub const logspace_Tensor_Tensor_out: OpId = OpId(244);
    /// `aten::logspace.out`
    pub const logspace_out: OpId = OpId(245);
    /// `aten::logsumexp`
    pub const logsumexp: OpId = OpId(2579);
    /// `aten::logsumexp.out`
    pub const logsumexp_out: OpId = OpId(2580);
    /// `aten::lower`
    pub const lower: OpId = OpId(3265);
    /// `aten::lstm_cell`
    pub const lstm_cell: OpId = OpId(2720);
    /// `aten::lstm.data`
    pub const lstm_data: OpId = OpId(2717);
    /// `aten::lstm.input`
    pub const lstm_input: OpId = OpId(2718);
    /// `aten::lstrip`
    pub const lstrip: OpId = OpId(3266);
    /// `aten::lt`
    pub const lt: OpId = OpId(2895);
    /// `aten::lt.Scalar`
    pub const lt_Scalar: OpId = OpId(1636);
    /// `aten::lt.Scalar_out`
    pub const lt_Scalar_out: OpId = OpId(1640);
    /// `aten::lt.Tensor`
    pub const lt_Tensor: OpId = OpId(1637);
    /// `aten::lt.Tensor_out`
    pub const lt_Tensor_out: OpId = OpId(1641);
    /// `aten::lt_.Scalar`
    pub const lt__Scalar: OpId = OpId(1638);
    /// `aten::lt_.Tensor`
    pub const lt__Tensor: OpId = OpId(1639);
    /// `aten::lt.float`
    pub const lt_float: OpId = OpId(2896);
    /// `aten::lt.float_int`
    pub const lt_float_int: OpId = OpId(2897);
    /// `aten::lt.int`
    pub const lt_int: OpId = OpId(2898);
    /// `aten::lt.int_float`
    pub const lt_int_float: OpId = OpId(2899);
    /// `aten::lt.str`
    pub const lt_str: OpId = OpId(3267);
    /// `aten::lu_solve`
    pub const lu_solve: OpId = OpId(976);
    /// `aten::lu_solve.out`
    pub const lu_solve_out: OpId = OpId(977);
    /// `aten::lu_unpack`
    pub const lu_unpack: OpId = OpId(978);
    /// `aten::lu_unpack.out`
    pub const lu_unpack_out: OpId = OpId(979);
    /// `aten::mH`
    pub const mH: OpId = OpId(3541);
    /// `aten::mH.a`
    pub const mH_a: OpId = OpId(3542);
    /// `aten::mT`
    pub const mT: OpId = OpId(3543);
    /// `aten::mT.a`
    pub const mT_a: OpId = OpId(3544);
    /// `aten::manual_seed`
    pub const manual_seed: OpId = OpId(2280);
    /// `aten::manual_seed.generator`
    pub const manual_seed_generator: OpId = OpId(2281);
    /// `aten::margin_ranking_loss`
    pub const margin_ranking_loss: OpId = OpId(1119);
    /// `aten::masked_fill.Scalar`
    pub const masked_fill_Scalar: OpId = OpId(1642);
    /// `aten::masked_fill.Scalar_out`
    pub const masked_fill_Scalar_out: OpId = OpId(1646);
    /// `aten::masked_fill.Tensor`
    pub const masked_fill_Tensor: OpId = OpId(1643);
    /// `aten::masked_fill.Tensor_out`
    pub const masked_fill_Tensor_out: OpId = OpId(1647);
    /// `aten::masked_fill_.Scalar`
    pub const masked_fill__Scalar: OpId = OpId(1644);
    /// `aten::masked_fill_.Tensor`
    pub const masked_fill__Tensor: OpId = OpId(1645);
    /// `aten::masked_scatter`
    pub const masked_scatter: OpId = OpId(804);
    /// `aten::masked_scatter_`
    pub const masked_scatter_: OpId = OpId(805);
    /// `aten::masked_scatter_backward`
    pub const masked_scatter_backward: OpId = OpId(852);
    /// `aten::masked_scatter.out`
    pub const masked_scatter_out: OpId = OpId(806);
    /// `aten::masked_select`
    pub const masked_select: OpId = OpId(807);
    /// `aten::masked_select.out`
    pub const masked_select_out: OpId = OpId(808);
    /// `aten::mathremainder`
    pub const mathremainder: OpId = OpId(2900);
    /// `aten::mathremainder.float`
    pub const mathremainder_float: OpId = OpId(2901);
    /// `aten::mathremainder.float_int`
    pub const mathremainder_float_int: OpId = OpId(2902);
    /// `aten::mathremainder.int`
    pub const mathremainder_int: OpId = OpId(2903);
    /// `aten::mathremainder.int_float`
    pub const mathremainder_int_float: OpId = OpId(2904);
    /// `aten::matmul`
    pub const matmul: OpId = OpId(1207);
    /// `aten::matmul.out`
    pub const matmul_out: OpId = OpId(1208);
    /// `aten::matrix_H`
    pub const matrix_H: OpId = OpId(3545);
    /// `aten::matrix_H.a`
    pub const matrix_H_a: OpId = OpId(3546);
    /// `aten::matrix_exp`
    pub const matrix_exp: OpId = OpId(980);
    /// `aten::matrix_power`
    pub const matrix_power: OpId = OpId(1258);
    /// `aten::matrix_power.out`
    pub const matrix_power_out: OpId = OpId(1259);
    /// `aten::max`
    pub const max: OpId = OpId(2581);
    /// `aten::max.dim`
    pub const max_dim: OpId = OpId(2582);
    /// `aten::max.dim_max`
    pub const max_dim_max: OpId = OpId(2583);
    /// `aten::max.other`
    pub const max_other: OpId = OpId(1648);
    /// `aten::max.out`
    pub const max_out: OpId = OpId(1649);
    /// `aten::max_pool1d`
    pub const max_pool1d: OpId = OpId(2010);
    /// `aten::max_pool1d_with_indices`
    pub const max_pool1d_with_indices: OpId = OpId(2011);
    /// `aten::max_pool2d`
    pub const max_pool2d: OpId = OpId(2012);
    /// `aten::max_pool2d_with_indices`
    pub const max_pool2d_with_indices: OpId = OpId(2013);
    /// `aten::max_pool2d_with_indices_backward`
    pub const max_pool2d_with_indices_backward: OpId = OpId(2015);
    /// `aten::max_pool2d_with_indices_backward.grad_input`
    pub const max_pool2d_with_indices_backward_grad_input: OpId = OpId(2039);
    /// `aten::max_pool2d_with_indices.out`
    pub const max_pool2d_with_indices_out: OpId = OpId(2014);
    /// `aten::max_pool3d`
    pub const max_pool3d: OpId = OpId(2016);
    /// `aten::max_pool3d_with_indices`
    pub const max_pool3d_with_indices: OpId = OpId(2017);
    /// `aten::max_pool3d_with_indices_backward`
    pub const max_pool3d_with_indices_backward: OpId = OpId(2019);
    /// `aten::max_pool3d_with_indices_backward.grad_input`
    pub const max_pool3d_with_indices_backward_grad_input: OpId = OpId(2040);
    /// `aten::max_pool3d_with_indices.out`
    pub const max_pool3d_with_indices_out: OpId = OpId(2018);
    /// `aten::max.unary_out`
    pub const max_unary_out: OpId = OpId(2584);
    /// `aten::max_unpool2d`
    pub const max_unpool2d: OpId = OpId(2020);
    /// `aten::max_unpool2d.out`
    pub const max_unpool2d_out: OpId = OpId(2021);
    /// `aten::max_unpool3d`
    pub const max_unpool3d: OpId = OpId(2022);
    /// `aten::max_unpool3d.out`
    pub const max_unpool3d_out: OpId = OpId(2023);
    /// `aten::maximum`
    pub const maximum: OpId = OpId(1650);
    /// `aten::maximum.out`
    pub const maximum_out: OpId = OpId(1651);
    /// `aten::mean`
    pub const mean: OpId = OpId(2585);
    /// `aten::mean.dim`
    pub const mean_dim: OpId = OpId(2586);
    /// `aten::mean.dtype_out`
    pub const mean_dtype_out: OpId = OpId(2587);
    /// `aten::mean.out`
    pub const mean_out: OpId = OpId(2588);
    /// `aten::median`
    pub const median: OpId = OpId(2589);
    /// `aten::median.dim`
    pub const median_dim: OpId = OpId(2590);
    /// `aten::median.dim_values`
    pub const median_dim_values: OpId = OpId(2591);
    /// `aten::median.out`
    pub const median_out: OpId = OpId(2592);
    /// `aten::meshgrid`
    pub const meshgrid: OpId = OpId(3478);
    /// `aten::meshgrid.indexing`
    pub const meshgrid_indexing: OpId = OpId(3479);
    /// `aten::min`
    pub const min: OpId = OpId(2593);
    /// `aten::min.dim`
    pub const min_dim: OpId = OpId(2594);
    /// `aten::min.dim_min`
    pub const min_dim_min: OpId = OpId(2595);
    /// `aten::min.other`
    pub const min_other: OpId = OpId(1652);
    /// `aten::min.out`
    pub const min_out: OpId = OpId(1653);
    /// `aten::min.unary_out`
    pub const min_unary_out: OpId = OpId(2596);
    /// `aten::minimum`
    pub const minimum: OpId = OpId(1654);
    /// `aten::minimum.out`
    pub const minimum_out: OpId = OpId(1655);
    /// `aten::mish`
    pub const mish: OpId = OpId(50);
    /// `aten::mish_`
    pub const mish_: OpId = OpId(51);
    /// `aten::mish_backward`
    pub const mish_backward: OpId = OpId(83);
    /// `aten::mish.out`
    pub const mish_out: OpId = OpId(52);
    /// `aten::mkldnn_rnn_layer`
    pub const mkldnn_rnn_layer: OpId = OpId(2721);
    /// `aten::mm`
    pub const mm: OpId = OpId(1209);
    /// `aten::mm.dtype`
    pub const mm_dtype: OpId = OpId(1210);
    /// `aten::mm.dtype_out`
    pub const mm_dtype_out: OpId = OpId(1211);
    /// `aten::mm.out`
    pub const mm_out: OpId = OpId(1212);
    /// `aten::mode`
    pub const mode: OpId = OpId(2680);
    /// `aten::mode.values`
    pub const mode_values: OpId = OpId(2681);
    /// `aten::modf`
    pub const modf: OpId = OpId(2905);
    /// `aten::moveaxis.int`
    pub const moveaxis_int: OpId = OpId(3547);
    /// `aten::moveaxis.intlist`
    pub const moveaxis_intlist: OpId = OpId(3548);
    /// `aten::movedim.int`
    pub const movedim_int: OpId = OpId(3480);
    /// `aten::movedim.intlist`
    pub const movedim_intlist: OpId = OpId(3481);
    /// `aten::mse_loss`
    pub const mse_loss: OpId = OpId(1120);
    /// `aten::mse_loss_backward`
    pub const mse_loss_backward: OpId = OpId(1122);
    /// `aten::mse_loss_backward.grad_input`
    pub const mse_loss_backward_grad_input: OpId = OpId(1142);
    /// `aten::mse_loss.out`
    pub const mse_loss_out: OpId = OpId(1121);
    /// `aten::msort`
    pub const msort: OpId = OpId(3075);
    /// `aten::msort.out`
    pub const msort_out: OpId = OpId(3076);
    /// `aten::mul`
    pub const mul: OpId = OpId(2906);
    /// `aten::mul.Scalar`
    pub const mul_Scalar: OpId = OpId(1656);
    /// `aten::mul.Scalar_out`
    pub const mul_Scalar_out: OpId = OpId(1660);
    /// `aten::mul.Tensor`
    pub const mul_Tensor: OpId = OpId(1657);
    /// `aten::mul_.Scalar`
    pub const mul__Scalar: OpId = OpId(1658);
    /// `aten::mul_.Tensor`
    pub const mul__Tensor: OpId = OpId(1659);
    /// `aten::mul_.t`
    pub const mul__t: OpId = OpId(1032);
    /// `aten::mul.complex`
    pub const mul_complex: OpId = OpId(2907);
    /// `aten::mul.complex_float`
    pub const mul_complex_float: OpId = OpId(2908);
    /// `aten::mul.complex_int`
    pub const mul_complex_int: OpId = OpId(2909);
    /// `aten::mul.float`
    pub const mul_float: OpId = OpId(2910);
    /// `aten::mul.float_complex`
    pub const mul_float_complex: OpId = OpId(2911);
    /// `aten::mul.float_int`
    pub const mul_float_int: OpId = OpId(2912);
    /// `aten::mul.int`
    pub const mul_int: OpId = OpId(2913);
    /// `aten::mul.int_complex`
    pub const mul_int_complex: OpId = OpId(2914);
    /// `aten::mul.int_float`
    pub const mul_int_float: OpId = OpId(2915);
    /// `aten::mul.left_t`
    pub const mul_left_t: OpId = OpId(1031);
    /// `aten::mul.out`
    pub const mul_out: OpId = OpId(1661);
    /// `aten::mul.right_`
    pub const mul_right_: OpId = OpId(2916);
    /// `aten::multi_margin_loss`
    pub const multi_margin_loss: OpId = OpId(1143);
    /// `aten::multi_margin_loss_backward`
    pub const multi_margin_loss_backward: OpId = OpId(1145);
    /// `aten::multi_margin_loss_backward.grad_input`
    pub const multi_margin_loss_backward_grad_input: OpId = OpId(1146);
    /// `aten::multi_margin_loss.out`
    pub const multi_margin_loss_out: OpId = OpId(1144);
    /// `aten::multilabel_margin_loss`
    pub const multilabel_margin_loss: OpId = OpId(1147);
    /// `aten::multilabel_margin_loss_backward`
    pub const multilabel_margin_loss_backward: OpId = OpId(1149);
    /// `aten::multilabel_margin_loss_backward.grad_input`
    pub const multilabel_margin_loss_backward_grad_input: OpId = OpId(1150);
    /// `aten::multilabel_margin_loss_forward`
    pub const multilabel_margin_loss_forward: OpId = OpId(1151);
    /// `aten::multilabel_margin_loss_forward.output`
    pub const multilabel_margin_loss_forward_output: OpId = OpId(1152);
    /// `aten::multilabel_margin_loss.out`
    pub const multilabel_margin_loss_out: OpId = OpId(1148);
    /// `aten::multinomial`
    pub const multinomial: OpId = OpId(2282);
    /// `aten::multinomial.out`
    pub const multinomial_out: OpId = OpId(2283);
    /// `aten::multiply.Scalar`
    pub const multiply_Scalar: OpId = OpId(1838);
    /// `aten::multiply.Tensor`
    pub const multiply_Tensor: OpId = OpId(1839);
    /// `aten::multiply_.Scalar`
    pub const multiply__Scalar: OpId = OpId(1840);
    /// `aten::multiply_.Tensor`
    pub const multiply__Tensor: OpId = OpId(1841);
    /// `aten::multiply.out`
    pub const multiply_out: OpId = OpId(1842);
    /// `aten::mv`
    pub const mv: OpId = OpId(1213);
    /// `aten::mv.out`
    pub const mv_out: OpId = OpId(1214);
    /// `aten::mvlgamma`
    pub const mvlgamma: OpId = OpId(3088);
    /// `aten::mvlgamma_`
    pub const mvlgamma_: OpId = OpId(3089);
    /// `aten::mvlgamma.out`
    pub const mvlgamma_out: OpId = OpId(3090);
    /// `aten::nan_to_num`
    pub const nan_to_num: OpId = OpId(1662);
    /// `aten::nan_to_num_`
    pub const nan_to_num_: OpId = OpId(1663);
    /// `aten::nan_to_num.out`
    pub const nan_to_num_out: OpId = OpId(1664);
    /// `aten::nanmean`
    pub const nanmean: OpId = OpId(2682);
    /// `aten::nanmean.out`
    pub const nanmean_out: OpId = OpId(2683);
    /// `aten::nanmedian`
    pub const nanmedian: OpId = OpId(2684);
    /// `aten::nanmedian.dim`
    pub const nanmedian_dim: OpId = OpId(2685);
    /// `aten::nanmedian.dim_values`
    pub const nanmedian_dim_values: OpId = OpId(2686);
    /// `aten::nanmedian.out`
    pub const nanmedian_out: OpId = OpId(2687);
    /// `aten::nanquantile`
    pub const nanquantile: OpId = OpId(2688);
    /// `aten::nanquantile.out`
    pub const nanquantile_out: OpId = OpId(2690);
    /// `aten::nanquantile.scalar`
    pub const nanquantile_scalar: OpId = OpId(2689);
    /// `aten::nanquantile.scalar_out`
    pub const nanquantile_scalar_out: OpId = OpId(2691);
    /// `aten::nansum`
    pub const nansum: OpId = OpId(2692);
    /// `aten::nansum.out`
    pub const nansum_out: OpId = OpId(2693);
    /// `aten::narrow`
    pub const narrow: OpId = OpId(3482);
    /// `aten::narrow.Tensor`
    pub const narrow_Tensor: OpId = OpId(3483);
    /// `aten::narrow_copy`
    pub const narrow_copy: OpId = OpId(2503);
    /// `aten::narrow_copy.out`
    pub const narrow_copy_out: OpId = OpId(2504);
    /// `aten::native_batch_norm`
    pub const native_batch_norm: OpId = OpId(1275);
    /// `aten::native_batch_norm_backward`
    pub const native_batch_norm_backward: OpId = OpId(1277);
    /// `aten::native_batch_norm_backward.out`
    pub const native_batch_norm_backward_out: OpId = OpId(1278);
    /// `aten::native_batch_norm.out`
    pub const native_batch_norm_out: OpId = OpId(1276);
    /// `aten::native_channel_shuffle`
    pub const native_channel_shuffle: OpId = OpId(2505);
    /// `aten::native_dropout`
    pub const native_dropout: OpId = OpId(2284);
    /// `aten::native_dropout_backward`
    pub const native_dropout_backward: OpId = OpId(2286);
    /// `aten::native_dropout_backward.out`
    pub const native_dropout_backward_out: OpId = OpId(2287);
    /// `aten::native_dropout.out`
    pub const native_dropout_out: OpId = OpId(2285);
    /// `aten::native_group_norm`
    pub const native_group_norm: OpId = OpId(1279);
    /// `aten::native_group_norm_backward`
    pub const native_group_norm_backward: OpId = OpId(1281);
    /// `aten::native_group_norm_backward.out`
    pub const native_group_norm_backward_out: OpId = OpId(1282);
    /// `aten::native_group_norm.out`
    pub const native_group_norm_out: OpId = OpId(1280);
    /// `aten::native_layer_norm`
    pub const native_layer_norm: OpId = OpId(1283);
    /// `aten::native_layer_norm_backward`
    pub const native_layer_norm_backward: OpId = OpId(1285);
    /// `aten::native_layer_norm_backward.out`
    pub const native_layer_norm_backward_out: OpId = OpId(1286);
    /// `aten::native_layer_norm.out`
    pub const native_layer_norm_out: OpId = OpId(1284);
    /// `aten::ne`
    pub const ne: OpId = OpId(2917);
    /// `aten::ne.Scalar`
    pub const ne_Scalar: OpId = OpId(1665);
    /// `aten::ne.Scalar_out`
    pub const ne_Scalar_out: OpId = OpId(1669);
    /// `aten::ne.Tensor`
    pub const ne_Tensor: OpId = OpId(1666);
    /// `aten::ne.Tensor_list`
    pub const ne_Tensor_list: OpId = OpId(1033);
    /// `aten::ne.Tensor_out`
    pub const ne_Tensor_out: OpId = OpId(1670);
    /// `aten::ne_.Scalar`
    pub const ne__Scalar: OpId = OpId(1667);
    /// `aten::ne_.Tensor`
    pub const ne__Tensor: OpId = OpId(1668);
    /// `aten::ne.bool`
    pub const ne_bool: OpId = OpId(2918);
    /// `aten::ne.bool_list`
    pub const ne_bool_list: OpId = OpId(1034);
    /// `aten::ne.complex`
    pub const ne_complex: OpId = OpId(2919);
    /// `aten::ne.complex_float`
    pub const ne_complex_float: OpId = OpId(2920);
    /// `aten::ne.device`
    pub const ne_device: OpId = OpId(2921);
    /// `aten::ne.enum`
    pub const ne_enum: OpId = OpId(2922);
    /// `aten::ne.float`
    pub const ne_float: OpId = OpId(2923);
    /// `aten::ne.float_complex`
    pub const ne_float_complex: OpId = OpId(2924);
    /// `aten::ne.float_int`
    pub const ne_float_int: OpId = OpId(2925);
    /// `aten::ne.float_list`
    pub const ne_float_list: OpId = OpId(1035);
    /// `aten::ne.int`
    pub const ne_int: OpId = OpId(2926);
    /// `aten::ne.int_float`
    pub const ne_int_float: OpId = OpId(2927);
    /// `aten::ne.int_list`
    pub const ne_int_list: OpId = OpId(1036);
    /// `aten::ne.str`
    pub const ne_str: OpId = OpId(3268);
    /// `aten::ne.str_list`
    pub const ne_str_list: OpId = OpId(1037);
    /// `aten::neg`
    pub const neg: OpId = OpId(1671);
    /// `aten::neg_`
    pub const neg_: OpId = OpId(1672);
    /// `aten::neg.Scalar`
    pub const neg_Scalar: OpId = OpId(2928);
    /// `aten::neg.complex`
    pub const neg_complex: OpId = OpId(2929);
    /// `aten::neg.float`
    pub const neg_float: OpId = OpId(2930);
    /// `aten::neg.int`
    pub const neg_int: OpId = OpId(2931);
    /// `aten::neg.out`
    pub const neg_out: OpId = OpId(1673);
    /// `aten::negative`
    pub const negative: OpId = OpId(1843);
    /// `aten::negative_`
    pub const negative_: OpId = OpId(1844);
    /// `aten::negative.out`
    pub const negative_out: OpId = OpId(1845);
    /// `aten::new_empty`
    pub const new_empty: OpId = OpId(246);
    /// `aten::new_empty.out`
    pub const new_empty_out: OpId = OpId(247);
    /// `aten::new_empty_strided`
    pub const new_empty_strided: OpId = OpId(248);
    /// `aten::new_empty_strided.out`
    pub const new_empty_strided_out: OpId = OpId(249);
    /// `aten::new_full`
    pub const new_full: OpId = OpId(250);
    /// `aten::new_full.out`
    pub const new_full_out: OpId = OpId(251);
    /// `aten::new_ones`
    pub const new_ones: OpId = OpId(252);
    /// `aten::new_ones.out`
    pub const new_ones_out: OpId = OpId(253);
    /// `aten::new_zeros`
    pub const new_zeros: OpId = OpId(254);
    /// `aten::new_zeros.out`
    pub const new_zeros_out: OpId = OpId(255);
    /// `aten::nextafter`
    pub const nextafter: OpId = OpId(3091);
    /// `aten::nextafter_`
    pub const nextafter_: OpId = OpId(3092);
    /// `aten::nextafter.out`
    pub const nextafter_out: OpId = OpId(3093);
    /// `aten::nll_loss`
    pub const nll_loss: OpId = OpId(1153);
    /// `aten::nll_loss2d_backward`
    pub const nll_loss2d_backward: OpId = OpId(1123);
    /// `aten::nll_loss2d_backward.grad_input`
    pub const nll_loss2d_backward_grad_input: OpId = OpId(1155);
    /// `aten::nll_loss2d_forward`
    pub const nll_loss2d_forward: OpId = OpId(1124);
    /// `aten::nll_loss2d_forward.output`
    pub const nll_loss2d_forward_output: OpId = OpId(1125);
    /// `aten::nll_loss_backward`
    pub const nll_loss_backward: OpId = OpId(1126);
    /// `aten::nll_loss_backward.grad_input`
    pub const nll_loss_backward_grad_input: OpId = OpId(1156);
    /// `aten::nll_loss_forward`
    pub const nll_loss_forward: OpId = OpId(1127);
    /// `aten::nll_loss_forward.output`
    pub const nll_loss_forward_output: OpId = OpId(1128);
    /// `aten::nll_loss_nd`
    pub const nll_loss_nd: OpId = OpId(1129);
    /// `aten::nll_loss.out`
    pub const nll_loss_out: OpId = OpId(1154);
    /// `aten::nonzero`
    pub const nonzero: OpId = OpId(809);
    /// `aten::nonzero_numpy`
    pub const nonzero_numpy: OpId = OpId(811);
    /// `aten::nonzero.out`
    pub const nonzero_out: OpId = OpId(810);
    /// `aten::nonzero_static`
    pub const nonzero_static: OpId = OpId(812);
    /// `aten::nonzero_static.out`
    pub const nonzero_static_out: OpId = OpId(813);
    /// `aten::norm.Scalar`
    pub const norm_Scalar: OpId = OpId(2597);
    /// `aten::norm.ScalarOpt_dim`
    pub const norm_ScalarOpt_dim: OpId = OpId(2598);
    /// `aten::norm.ScalarOpt_dim_dtype`
    pub const norm_ScalarOpt_dim_dtype: OpId = OpId(2599);
    /// `aten::norm.ScalarOpt_dtype`
    pub const norm_ScalarOpt_dtype: OpId = OpId(2600);
    /// `aten::norm.ScalarOpt_dtype_out`
    pub const norm_ScalarOpt_dtype_out: OpId = OpId(2601);
    /// `aten::norm.Scalar_out`
    pub const norm_Scalar_out: OpId = OpId(2602);
    /// `aten::norm.dtype_out`
    pub const norm_dtype_out: OpId = OpId(2603);
    /// `aten::norm_except_dim`
    pub const norm_except_dim: OpId = OpId(2694);
    /// `aten::norm.out`
    pub const norm_out: OpId = OpId(2604);
    /// `aten::normal_`
    pub const normal_: OpId = OpId(2288);
    /// `aten::normal.Tensor_Tensor`
    pub const normal_Tensor_Tensor: OpId = OpId(2377);
    /// `aten::normal.Tensor_Tensor_out`
    pub const normal_Tensor_Tensor_out: OpId = OpId(2381);
    /// `aten::normal.Tensor_float`
    pub const normal_Tensor_float: OpId = OpId(2378);
    /// `aten::normal.Tensor_float_out`
    pub const normal_Tensor_float_out: OpId = OpId(2382);
    /// `aten::normal.float_Tensor`
    pub const normal_float_Tensor: OpId = OpId(2379);
    /// `aten::normal.float_Tensor_out`
    pub const normal_float_Tensor_out: OpId = OpId(2383);
    /// `aten::normal.float_float`
    pub const normal_float_float: OpId = OpId(2380);
    /// `aten::normal.float_float_out`
    pub const normal_float_float_out: OpId = OpId(2384);
    /// `aten::normal_functional`
    pub const normal_functional: OpId = OpId(2289);
    /// `aten::normal.out`
    pub const normal_out: OpId = OpId(2385);
    /// `aten::not_equal.Scalar`
    pub const not_equal_Scalar: OpId = OpId(1846);
    /// `aten::not_equal.Scalar_out`
    pub const not_equal_Scalar_out: OpId = OpId(1850);
    /// `aten::not_equal.Tensor`
    pub const not_equal_Tensor: OpId = OpId(1847);
    /// `aten::not_equal.Tensor_out`
    pub const not_equal_Tensor_out: OpId = OpId(1851);
    /// `aten::not_equal_.Scalar`
    pub const not_equal__Scalar: OpId = OpId(1848);
    /// `aten::not_equal_.Tensor`
    pub const not_equal__Tensor: OpId = OpId(1849);
    /// `aten::nuclear_norm`
    pub const nuclear_norm: OpId = OpId(2605);
    /// `aten::nuclear_norm.dim`
    pub const nuclear_norm_dim: OpId = OpId(2606);
    /// `aten::nuclear_norm.dim_out`
    pub const nuclear_norm_dim_out: OpId = OpId(2607);
    /// `aten::nuclear_norm.out`
    pub const nuclear_norm_out: OpId = OpId(2608);
    /// `aten::numel`
    pub const numel: OpId = OpId(3303);
    /// `aten::numpy_T`
    pub const numpy_T: OpId = OpId(3484);
    /// `aten::numpy_T.a`
    pub const numpy_T_a: OpId = OpId(3485);
    /// `aten::oct`
    pub const oct: OpId = OpId(3032);
    /// `aten::one_hot`
    pub const one_hot: OpId = OpId(471);
    /// `aten::ones`
    pub const ones: OpId = OpId(256);
    /// `aten::ones_like`
    pub const ones_like: OpId = OpId(258);
    /// `aten::ones_like.out`
    pub const ones_like_out: OpId = OpId(259);
    /// `aten::ones.out`
    pub const ones_out: OpId = OpId(257);
    /// `aten::ord`
    pub const ord: OpId = OpId(3269);
    /// `aten::orgqr`
    pub const orgqr: OpId = OpId(981);
    /// `aten::orgqr.out`
    pub const orgqr_out: OpId = OpId(982);
    /// `aten::ormqr`
    pub const ormqr: OpId = OpId(983);
    /// `aten::ormqr.out`
    pub const ormqr_out: OpId = OpId(984);
    /// `aten::outer`
    pub const outer: OpId = OpId(1215);
    /// `aten::outer.out`
    pub const outer_out: OpId = OpId(1216);
    /// `aten::pad`
    pub const pad: OpId = OpId(1333);
    /// `aten::pad_sequence`
    pub const pad_sequence: OpId = OpId(2506);
    /// `aten::pairwise_distance`
    pub const pairwise_distance: OpId = OpId(1287);
    /// `aten::partition`
    pub const partition: OpId = OpId(3270);
    /// `aten::pdist`
    pub const pdist: OpId = OpId(1260);
    /// `aten::percentFormat`
    pub const percentFormat: OpId = OpId(3271);
    /// `aten::permute`
    pub const permute: OpId = OpId(3486);
    /// `aten::permute_copy`
    pub const permute_copy: OpId = OpId(2423);
    /// `aten::permute_copy.out`
    pub const permute_copy_out: OpId = OpId(2424);
    /// `aten::pinverse`
    pub const pinverse: OpId = OpId(985);
    /// `aten::pixel_shuffle`
    pub const pixel_shuffle: OpId = OpId(3403);
    /// `aten::pixel_shuffle.out`
    pub const pixel_shuffle_out: OpId = OpId(3404);
    /// `aten::pixel_unshuffle`
    pub const pixel_unshuffle: OpId = OpId(3405);
    /// `aten::pixel_unshuffle.out`
    pub const pixel_unshuffle_out: OpId = OpId(3406);
    /// `aten::poisson`
    pub const poisson: OpId = OpId(2386);
    /// `aten::poisson_nll_loss`
    pub const poisson_nll_loss: OpId = OpId(1130);
    /// `aten::poisson.out`
    pub const poisson_out: OpId = OpId(2387);
    /// `aten::polar`
    pub const polar: OpId = OpId(108);
    /// `aten::polar.Scalar_Scalar`
    pub const polar_Scalar_Scalar: OpId = OpId(3033);
    /// `aten::polar.float`
    pub const polar_float: OpId = OpId(3034);
    /// `aten::polar.float_int`
    pub const polar_float_int: OpId = OpId(3035);
    /// `aten::polar.int`
    pub const polar_int: OpId = OpId(3036);
    /// `aten::polar.int_float`
    pub const polar_int_float: OpId = OpId(3037);
    /// `aten::polar.out`
    pub const polar_out: OpId = OpId(109);
    /// `aten::polygamma`
    pub const polygamma: OpId = OpId(3094);
    /// `aten::polygamma_`
    pub const polygamma_: OpId = OpId(3095);
    /// `aten::polygamma.out`
    pub const polygamma_out: OpId = OpId(3096);
    /// `aten::pop.Dict_Tensor`
    pub const pop_Dict_Tensor: OpId = OpId(381);
    /// `aten::pop.Dict_bool`
    pub const pop_Dict_bool: OpId = OpId(382);
    /// `aten::pop.Dict_complex`
    pub const pop_Dict_complex: OpId = OpId(383);
    /// `aten::pop.Dict_default_Tensor`
    pub const pop_Dict_default_Tensor: OpId = OpId(384);
    /// `aten::pop.Dict_default_bool`
    pub const pop_Dict_default_bool: OpId = OpId(385);
    /// `aten::pop.Dict_default_complex`
    pub const pop_Dict_default_complex: OpId = OpId(386);
    /// `aten::pop.Dict_default_float`
    pub const pop_Dict_default_float: OpId = OpId(387);
    /// `aten::pop.Dict_default_int`
    pub const pop_Dict_default_int: OpId = OpId(388);
    /// `aten::pop.Dict_default_str`
    pub const pop_Dict_default_str: OpId = OpId(389);
    /// `aten::pop.Dict_float`
    pub const pop_Dict_float: OpId = OpId(390);
    /// `aten::pop.Dict_int`
    pub const pop_Dict_int: OpId = OpId(391);
    /// `aten::pop.Dict_str`
    pub const pop_Dict_str: OpId = OpId(392);
    /// `aten::pop.t`
    pub const pop_t: OpId = OpId(1038);
    /// `aten::popitem.bool`
    pub const popitem_bool: OpId = OpId(411);
    /// `aten::popitem.complex`
    pub const popitem_complex: OpId = OpId(412);
    /// `aten::popitem.float`
    pub const popitem_float: OpId = OpId(413);
    /// `aten::popitem.int`
    pub const popitem_int: OpId = OpId(414);
    /// `aten::popitem.str`
    pub const popitem_str: OpId = OpId(415);
    /// `aten::positive`
    pub const positive: OpId = OpId(3549);
    /// `aten::pow.Scalar`
    pub const pow_Scalar: OpId = OpId(1674);
    /// `aten::pow.Scalar_Scalar`
    pub const pow_Scalar_Scalar: OpId = OpId(2932);
    /// `aten::pow.Scalar_out`
    pub const pow_Scalar_out: OpId = OpId(1679);
    /// `aten::pow.Tensor_Scalar`
    pub const pow_Tensor_Scalar: OpId = OpId(1675);
    /// `aten::pow.Tensor_Scalar_out`
    pub const pow_Tensor_Scalar_out: OpId = OpId(1680);
    /// `aten::pow.Tensor_Tensor`
    pub const pow_Tensor_Tensor: OpId = OpId(1676);
    /// `aten::pow.Tensor_Tensor_out`
    pub const pow_Tensor_Tensor_out: OpId = OpId(1681);
    /// `aten::pow_.Scalar`
    pub const pow__Scalar: OpId = OpId(1677);
    /// `aten::pow_.Tensor`
    pub const pow__Tensor: OpId = OpId(1678);
    /// `aten::pow.complex`
    pub const pow_complex: OpId = OpId(2933);
    /// `aten::pow.complex_float`
    pub const pow_complex_float: OpId = OpId(2934);
    /// `aten::pow.float`
    pub const pow_float: OpId = OpId(2935);
    /// `aten::pow.float_complex`
    pub const pow_float_complex: OpId = OpId(2936);
    /// `aten::pow.float_int`
    pub const pow_float_int: OpId = OpId(2937);
    /// `aten::pow.int`
    pub const pow_int: OpId = OpId(2938);
    /// `aten::pow.int_float`
    pub const pow_int_float: OpId = OpId(2939);
    /// `aten::pow.int_to_int`
    pub const pow_int_to_int: OpId = OpId(2940);
    /// `aten::prelu`
    pub const prelu: OpId = OpId(53);
    /// `aten::prod`
    pub const prod: OpId = OpId(2609);
    /// `aten::prod.dim_int`
    pub const prod_dim_int: OpId = OpId(2610);
    /// `aten::prod.int_out`
    pub const prod_int_out: OpId = OpId(2611);
    /// `aten::prod.out`
    pub const prod_out: OpId = OpId(2612);
    /// `aten::promote_types`
    pub const promote_types: OpId = OpId(3345);
    /// `aten::put`
    pub const put: OpId = OpId(853);
    /// `aten::put_`
    pub const put_: OpId = OpId(854);
    /// `aten::put.out`
    pub const put_out: OpId = OpId(855);
    /// `aten::q_per_channel_axis`
    pub const q_per_channel_axis: OpId = OpId(2255);
    /// `aten::q_per_channel_scales`
    pub const q_per_channel_scales: OpId = OpId(2256);
    /// `aten::q_per_channel_zero_points`
    pub const q_per_channel_zero_points: OpId = OpId(2257);
    /// `aten::q_scale`
    pub const q_scale: OpId = OpId(2252);
    /// `aten::q_zero_point`
    pub const q_zero_point: OpId = OpId(2253);
    /// `aten::qscheme`
    pub const qscheme: OpId = OpId(2254);
    /// `aten::quantile`
    pub const quantile: OpId = OpId(2695);
    /// `aten::quantile.out`
    pub const quantile_out: OpId = OpId(2697);
    /// `aten::quantile.scalar`
    pub const quantile_scalar: OpId = OpId(2696);
    /// `aten::quantile.scalar_out`
    pub const quantile_scalar_out: OpId = OpId(2698);
    /// `aten::quantize_per_channel`
    pub const quantize_per_channel: OpId = OpId(2097);
    /// `aten::quantize_per_channel.out`
    pub const quantize_per_channel_out: OpId = OpId(2098);
    /// `aten::quantize_per_tensor`
    pub const quantize_per_tensor: OpId = OpId(2099);
    /// `aten::quantize_per_tensor_dynamic`
    pub const quantize_per_tensor_dynamic: OpId = OpId(2249);
    /// `aten::quantize_per_tensor.out`
    pub const quantize_per_tensor_out: OpId = OpId(2100);
    /// `aten::quantize_per_tensor.tensor_qparams`
    pub const quantize_per_tensor_tensor_qparams: OpId = OpId(2247);
    /// `aten::quantize_per_tensor.tensor_qparams_out`
    pub const quantize_per_tensor_tensor_qparams_out: OpId = OpId(2101);
    /// `aten::quantize_per_tensor.tensors`
    pub const quantize_per_tensor_tensors: OpId = OpId(2248);
    /// `aten::quantized_batch_norm`
    pub const quantized_batch_norm: OpId = OpId(2261);
    /// `aten::quantized_gru.data`
    pub const quantized_gru_data: OpId = OpId(2242);
    /// `aten::quantized_gru.input`
    pub const quantized_gru_input: OpId = OpId(2241);
    /// `aten::quantized_lstm.data`
    pub const quantized_lstm_data: OpId = OpId(2240);
    /// `aten::quantized_lstm.input`
    pub const quantized_lstm_input: OpId = OpId(2239);
    /// `aten::quantized_max_pool1d`
    pub const quantized_max_pool1d: OpId = OpId(2262);
    /// `aten::quantized_max_pool2d`
    pub const quantized_max_pool2d: OpId = OpId(2263);
    /// `aten::quantized_max_pool3d`
    pub const quantized_max_pool3d: OpId = OpId(2264);
    /// `aten::where`
    pub const r#where: OpId = OpId(1750);
    /// `aten::rad2deg`
    pub const rad2deg: OpId = OpId(1682);
    /// `aten::rad2deg_`
    pub const rad2deg_: OpId = OpId(1683);
    /// `aten::rad2deg.out`
    pub const rad2deg_out: OpId = OpId(1684);
    /// `aten::radians.Scalar`
    pub const radians_Scalar: OpId = OpId(3038);
    /// `aten::radians.float`
    pub const radians_float: OpId = OpId(3039);
    /// `aten::radians.int`
    pub const radians_int: OpId = OpId(3040);
    /// `aten::rand`
    pub const rand: OpId = OpId(2290);
    /// `aten::rand.generator`
    pub const rand_generator: OpId = OpId(2291);
    /// `aten::rand.generator_out`
    pub const rand_generator_out: OpId = OpId(2292);
    /// `aten::rand_like`
    pub const rand_like: OpId = OpId(2294);
    /// `aten::rand_like.generator`
    pub const rand_like_generator: OpId = OpId(2295);
    /// `aten::rand_like.generator_out`
    pub const rand_like_generator_out: OpId = OpId(2296);
    /// `aten::rand_like.out`
    pub const rand_like_out: OpId = OpId(2297);
    /// `aten::rand.out`
    pub const rand_out: OpId = OpId(2293);
    /// `aten::randint`
    pub const randint: OpId = OpId(2298);
    /// `aten::randint.generator`
    pub const randint_generator: OpId = OpId(2299);
    /// `aten::randint.generator_out`
    pub const randint_generator_out: OpId = OpId(2302);
    /// `aten::randint_like`
    pub const randint_like: OpId = OpId(2306);
    /// `aten::randint_like.Tensor`
    pub const randint_like_Tensor: OpId = OpId(2307);
    /// `aten::randint_like.Tensor_generator`
    pub const randint_like_Tensor_generator: OpId = OpId(2308);
    /// `aten::randint_like.Tensor_generator_out`
    pub const randint_like_Tensor_generator_out: OpId = OpId(2312);
    /// `aten::randint_like.Tensor_out`
    pub const randint_like_Tensor_out: OpId = OpId(2313);
    /// `aten::randint_like.generator`
    pub const randint_like_generator: OpId = OpId(2309);
    /// `aten::randint_like.generator_out`
    pub const randint_like_generator_out: OpId = OpId(2314);
    /// `aten::randint_like.low_dtype`
    pub const randint_like_low_dtype: OpId = OpId(2310);
    /// `aten::randint_like.low_dtype_out`
    pub const randint_like_low_dtype_out: OpId = OpId(2315);
    /// `aten::randint_like.low_generator_dtype`
    pub const randint_like_low_generator_dtype: OpId = OpId(2311);
    /// `aten::randint_like.low_generator_dtype_out`
    pub const randint_like_low_generator_dtype_out: OpId = OpId(2316);
    /// `aten::randint_like.out`
    pub const randint_like_out: OpId = OpId(2317);
    /// `aten::randint.low`
    pub const randint_low: OpId = OpId(2300);
    /// `aten::randint.low_generator`
    pub const randint_low_generator: OpId = OpId(2301);
    /// `aten::randint.low_generator_out`
    pub const randint_low_generator_out: OpId = OpId(2303);
    /// `aten::randint.low_out`
    pub const randint_low_out: OpId = OpId(2304);
    /// `aten::randint.out`
    pub const randint_out: OpId = OpId(2305);
    /// `aten::randn`
    pub const randn: OpId = OpId(2318);
    /// `aten::randn.generator`
    pub const randn_generator: OpId = OpId(2319);
    /// `aten::randn.generator_out`
    pub const randn_generator_out: OpId = OpId(2320);
    /// `aten::randn_like`
    pub const randn_like: OpId = OpId(2322);
    /// `aten::randn_like.generator`
    pub const randn_like_generator: OpId = OpId(2323);
    /// `aten::randn_like.generator_out`
    pub const randn_like_generator_out: OpId = OpId(2324);
    /// `aten::randn_like.out`
    pub const randn_like_out: OpId = OpId(2325);
    /// `aten::randn.out`
    pub const randn_out: OpId = OpId(2321);
    /// `aten::random`
    pub const random: OpId = OpId(2326);
    /// `aten::random_`
    pub const random_: OpId = OpId(2328);
    /// `aten::random_.from`
    pub const random__from: OpId = OpId(2329);
    /// `aten::random_.to`
    pub const random__to: OpId = OpId(2330);
    /// `aten::random.from`
    pub const random_from: OpId = OpId(2327);
    /// `aten::random.from_out`
    pub const random_from_out: OpId = OpId(2331);
    /// `aten::random.out`
    pub const random_out: OpId = OpId(2332);
    /// `aten::random.to`
    pub const random_to: OpId = OpId(2388);
    /// `aten::random.to_out`
    pub const random_to_out: OpId = OpId(2333);
    /// `aten::randperm`
    pub const randperm: OpId = OpId(2334);
    /// `aten::randperm.generator`
    pub const randperm_generator: OpId = OpId(2335);
    /// `aten::randperm.generator_out`
    pub const randperm_generator_out: OpId = OpId(2336);
    /// `aten::randperm.out`
    pub const randperm_out: OpId = OpId(2337);
    /// `aten::range`
    pub const range: OpId = OpId(289);
    /// `aten::range.out`
    pub const range_out: OpId = OpId(291);
    /// `aten::range.out_`
    pub const range_out_: OpId = OpId(292);
    /// `aten::range.step`
    pub const range_step: OpId = OpId(290);
    /// `aten::ravel`
    pub const ravel: OpId = OpId(3550);
    /// `aten::real`
    pub const real: OpId = OpId(3487);
    /// `aten::reciprocal`
    pub const reciprocal: OpId = OpId(1685);
    /// `aten::reciprocal_`
    pub const reciprocal_: OpId = OpId(1686);
    /// `aten::reciprocal.out`
    pub const reciprocal_out: OpId = OpId(1687);
    /// `aten::reflection_pad1d`
    pub const reflection_pad1d: OpId = OpId(1334);
    /// `aten::reflection_pad1d_backward`
    pub const reflection_pad1d_backward: OpId = OpId(1348);
    /// `aten::reflection_pad1d_backward.grad_input`
    pub const reflection_pad1d_backward_grad_input: OpId = OpId(1349);
    /// `aten::reflection_pad1d.out`
    pub const reflection_pad1d_out: OpId = OpId(1335);
    /// `aten::reflection_pad2d`
    pub const reflection_pad2d: OpId = OpId(1336);
    /// `aten::reflection_pad2d_backward`
    pub const reflection_pad2d_backward: OpId = OpId(1350);
    /// `aten::reflection_pad2d_backward.grad_input`
    pub const reflection_pad2d_backward_grad_input: OpId = OpId(1351);
    /// `aten::reflection_pad2d.out`
    pub const reflection_pad2d_out: OpId = OpId(1337);
    /// `aten::reflection_pad3d`
    pub const reflection_pad3d: OpId = OpId(1338);
    /// `aten::reflection_pad3d_backward`
    pub const reflection_pad3d_backward: OpId = OpId(1352);
    /// `aten::reflection_pad3d_backward.grad_input`
    pub const reflection_pad3d_backward_grad_input: OpId = OpId(1353);
    /// `aten::reflection_pad3d.out`
    pub const reflection_pad3d_out: OpId = OpId(1339);
    /// `aten::relu`
    pub const relu: OpId = OpId(54);
    /// `aten::relu6`
    pub const relu6: OpId = OpId(57);
    /// `aten::relu6_`
    pub const relu6_: OpId = OpId(58);
    /// `aten::relu_`
    pub const relu_: OpId = OpId(55);
    /// `aten::relu.out`
    pub const relu_out: OpId = OpId(56);
    /// `aten::remainder`
    pub const remainder: OpId = OpId(2941);
    /// `aten::remainder.Scalar`
    pub const remainder_Scalar: OpId = OpId(1688);
    /// `aten::remainder.Scalar_Tensor`
    pub const remainder_Scalar_Tensor: OpId = OpId(1689);
    /// `aten::remainder.Scalar_Tensor_out`
    pub const remainder_Scalar_Tensor_out: OpId = OpId(1693);
    /// `aten::remainder.Scalar_out`
    pub const remainder_Scalar_out: OpId = OpId(1694);
    /// `aten::remainder.Tensor`
    pub const remainder_Tensor: OpId = OpId(1690);
    /// `aten::remainder.Tensor_out`
    pub const remainder_Tensor_out: OpId = OpId(1695);
    /// `aten::remainder_.Scalar`
    pub const remainder__Scalar: OpId = OpId(1691);
    /// `aten::remainder_.Tensor`
    pub const remainder__Tensor: OpId = OpId(1692);
    /// `aten::remainder.float`
    pub const remainder_float: OpId = OpId(2942);
    /// `aten::remainder.float_int`
    pub const remainder_float_int: OpId = OpId(2943);
    /// `aten::remainder.int`
    pub const remainder_int: OpId = OpId(2944);
    /// `aten::remainder.int_float`
    pub const remainder_int_float: OpId = OpId(2945);
    /// `aten::remove.Tensor`
    pub const remove_Tensor: OpId = OpId(1039);
    /// `aten::remove.bool`
    pub const remove_bool: OpId = OpId(1040);
    /// `aten::remove.float`
    pub const remove_float: OpId = OpId(1041);
    /// `aten::remove.int`
    pub const remove_int: OpId = OpId(1042);
    /// `aten::remove.str`
    pub const remove_str: OpId = OpId(1043);
    /// `aten::renorm`
    pub const renorm: OpId = OpId(1288);
    /// `aten::renorm_`
    pub const renorm_: OpId = OpId(1289);
    /// `aten::renorm.out`
    pub const renorm_out: OpId = OpId(1290);
    /// `aten::repeat`
    pub const repeat: OpId = OpId(2425);
    /// `aten::repeat_interleave.Tensor`
    pub const repeat_interleave_Tensor: OpId = OpId(2427);
    /// `aten::repeat_interleave.Tensor_out`
    pub const repeat_interleave_Tensor_out: OpId = OpId(2430);
    /// `aten::repeat_interleave.self_Tensor`
    pub const repeat_interleave_self_Tensor: OpId = OpId(2428);
    /// `aten::repeat_interleave.self_int`
    pub const repeat_interleave_self_int: OpId = OpId(2429);
    /// `aten::repeat.out`
    pub const repeat_out: OpId = OpId(2426);
    /// `aten::replace`
    pub const replace: OpId = OpId(3272);
    /// `aten::replication_pad1d`
    pub const replication_pad1d: OpId = OpId(1340);
    /// `aten::replication_pad1d_backward`
    pub const replication_pad1d_backward: OpId = OpId(1354);
    /// `aten::replication_pad1d_backward.grad_input`
    pub const replication_pad1d_backward_grad_input: OpId = OpId(1355);
    /// `aten::replication_pad1d.out`
    pub const replication_pad1d_out: OpId = OpId(1341);
    /// `aten::replication_pad2d`
    pub const replication_pad2d: OpId = OpId(1342);
    /// `aten::replication_pad2d_backward`
    pub const replication_pad2d_backward: OpId = OpId(1356);
    /// `aten::replication_pad2d_backward.grad_input`
    pub const replication_pad2d_backward_grad_input: OpId = OpId(1357);
    /// `aten::replication_pad2d.out`
    pub const replication_pad2d_out: OpId = OpId(1343);
    /// `aten::replication_pad3d`
    pub const replication_pad3d: OpId = OpId(1344);
    /// `aten::replication_pad3d_backward`
    pub const replication_pad3d_backward: OpId = OpId(1358);
    /// `aten::replication_pad3d_backward.grad_input`
    pub const replication_pad3d_backward_grad_input: OpId = OpId(1359);
    /// `aten::replication_pad3d.out`
    pub const replication_pad3d_out: OpId = OpId(1345);
    /// `aten::requires_grad_`
    pub const requires_grad_: OpId = OpId(3324);
    /// `aten::reshape`
    pub const reshape: OpId = OpId(3488);
    /// `aten::reshape_as`
    pub const reshape_as: OpId = OpId(3489);
    /// `aten::resize`
    pub const resize: OpId = OpId(159);
    /// `aten::resize_`
    pub const resize_: OpId = OpId(160);
    /// `aten::resize_as`
    pub const resize_as: OpId = OpId(190);
    /// `aten::resize_as_`
    pub const resize_as_: OpId = OpId(191);
    /// `aten::resize_as.out`
    pub const resize_as_out: OpId = OpId(192);
    /// `aten::resize.out`
    pub const resize_out: OpId = OpId(161);
    /// `aten::resolve_conj`
    pub const resolve_conj: OpId = OpId(3551);
    /// `aten::resolve_neg`
    pub const resolve_neg: OpId = OpId(3552);
    /// `aten::result_type.Scalar`
    pub const result_type_Scalar: OpId = OpId(3346);
    /// `aten::result_type.Scalar_Scalar`
    pub const result_type_Scalar_Scalar: OpId = OpId(3347);
    /// `aten::result_type.Scalar_Tensor`
    pub const result_type_Scalar_Tensor: OpId = OpId(3348);
    /// `aten::result_type.Tensor`
    pub const result_type_Tensor: OpId = OpId(3349);
    /// `aten::reverse.t`
    pub const reverse_t: OpId = OpId(1044);
    /// `aten::rfind`
    pub const rfind: OpId = OpId(3273);
    /// `aten::rindex`
    pub const rindex: OpId = OpId(3274);
    /// `aten::rjust`
    pub const rjust: OpId = OpId(3275);
    /// `aten::rms_norm`
    pub const rms_norm: OpId = OpId(1291);
    /// `aten::rnn_relu_cell`
    pub const rnn_relu_cell: OpId = OpId(2724);
    /// `aten::rnn_relu.data`
    pub const rnn_relu_data: OpId = OpId(2722);
    /// `aten::rnn_relu.input`
    pub const rnn_relu_input: OpId = OpId(2723);
    /// `aten::rnn_tanh_cell`
    pub const rnn_tanh_cell: OpId = OpId(2719);
    /// `aten::rnn_tanh.data`
    pub const rnn_tanh_data: OpId = OpId(2725);
    /// `aten::rnn_tanh.input`
    pub const rnn_tanh_input: OpId = OpId(2726);
    /// `aten::roll`
    pub const roll: OpId = OpId(2431);
    /// `aten::roll.out`
    pub const roll_out: OpId = OpId(2432);
    /// `aten::rot90`
    pub const rot90: OpId = OpId(2433);
    /// `aten::rot90.out`
    pub const rot90_out: OpId = OpId(2434);
    /// `aten::round`
    pub const round: OpId = OpId(1696);
    /// `aten::round_`
    pub const round_: OpId = OpId(1698);
    /// `aten::round.Scalar`
    pub const round_Scalar: OpId = OpId(2946);
    /// `aten::round_.decimals`
    pub const round__decimals: OpId = OpId(1699);
    /// `aten::round.decimals`
    pub const round_decimals: OpId = OpId(1697);
    /// `aten::round.decimals_out`
    pub const round_decimals_out: OpId = OpId(1700);
    /// `aten::round.float`
    pub const round_float: OpId = OpId(2947);
    /// `aten::round.int`
    pub const round_int: OpId = OpId(2948);
    /// `aten::round.out`
    pub const round_out: OpId = OpId(1701);
    /// `aten::row_stack`
    pub const row_stack: OpId = OpId(2507);
    /// `aten::row_stack.out`
    pub const row_stack_out: OpId = OpId(2508);
    /// `aten::rpartition`
    pub const rpartition: OpId = OpId(3276);
    /// `aten::rrelu`
    pub const rrelu: OpId = OpId(2338);
    /// `aten::rrelu_`
    pub const rrelu_: OpId = OpId(2339);
    /// `aten::rrelu_with_noise`
    pub const rrelu_with_noise: OpId = OpId(2340);
    /// `aten::rrelu_with_noise_`
    pub const rrelu_with_noise_: OpId = OpId(2341);
    /// `aten::rrelu_with_noise_backward`
    pub const rrelu_with_noise_backward: OpId = OpId(2343);
    /// `aten::rrelu_with_noise_backward.out`
    pub const rrelu_with_noise_backward_out: OpId = OpId(2344);
    /// `aten::rrelu_with_noise_functional`
    pub const rrelu_with_noise_functional: OpId = OpId(2345);
    /// `aten::rrelu_with_noise.out`
    pub const rrelu_with_noise_out: OpId = OpId(2342);
    /// `aten::rsplit`
    pub const rsplit: OpId = OpId(3277);
    /// `aten::rsqrt`
    pub const rsqrt: OpId = OpId(1702);
    /// `aten::rsqrt_`
    pub const rsqrt_: OpId = OpId(1703);
    /// `aten::rsqrt.out`
    pub const rsqrt_out: OpId = OpId(1704);
    /// `aten::rstrip`
    pub const rstrip: OpId = OpId(3278);
    /// `aten::rsub.Scalar`
    pub const rsub_Scalar: OpId = OpId(1705);
    /// `aten::rsub.Scalar_out`
    pub const rsub_Scalar_out: OpId = OpId(1706);
    /// `aten::rsub.Tensor`
    pub const rsub_Tensor: OpId = OpId(1852);
    /// `aten::rsub.Tensor_out`
    pub const rsub_Tensor_out: OpId = OpId(1707);
    /// `aten::scalar_tensor`
    pub const scalar_tensor: OpId = OpId(260);
    /// `aten::scalar_tensor.out`
    pub const scalar_tensor_out: OpId = OpId(261);
    /// `aten::scaled_dot_product_attention`
    pub const scaled_dot_product_attention: OpId = OpId(1217);
    /// `aten::scatter_.reduce`
    pub const scatter__reduce: OpId = OpId(818);
    /// `aten::scatter_.src`
    pub const scatter__src: OpId = OpId(819);
    /// `aten::scatter_.value`
    pub const scatter__value: OpId = OpId(820);
    /// `aten::scatter_.value_reduce`
    pub const scatter__value_reduce: OpId = OpId(821);
    /// `aten::scatter_add`
    pub const scatter_add: OpId = OpId(826);
    /// `aten::scatter_add_`
    pub const scatter_add_: OpId = OpId(827);
    /// `aten::scatter_add.out`
    pub const scatter_add_out: OpId = OpId(828);
    /// `aten::scatter.reduce`
    pub const scatter_reduce: OpId = OpId(814);
    /// `aten::scatter_reduce_.two`
    pub const scatter_reduce__two: OpId = OpId(830);
    /// `aten::scatter.reduce_out`
    pub const scatter_reduce_out: OpId = OpId(822);
    /// `aten::scatter_reduce.two`
    pub const scatter_reduce_two: OpId = OpId(829);
    /// `aten::scatter_reduce.two_out`
    pub const scatter_reduce_two_out: OpId = OpId(831);
    /// `aten::scatter.src`
    pub const scatter_src: OpId = OpId(815);
    /// `aten::scatter.src_out`
    pub const scatter_src_out: OpId = OpId(823);
    /// `aten::scatter.value`
    pub const scatter_value: OpId = OpId(816);
    /// `aten::scatter.value_out`
    pub const scatter_value_out: OpId = OpId(824);
    /// `aten::scatter.value_reduce`
    pub const scatter_value_reduce: OpId = OpId(817);
    /// `aten::scatter.value_reduce_out`
    pub const scatter_value_reduce_out: OpId = OpId(825);
    /// `aten::searchsorted.Scalar`
    pub const searchsorted_Scalar: OpId = OpId(3059);
    /// `aten::searchsorted.Scalar_out`
    pub const searchsorted_Scalar_out: OpId = OpId(3061);
    /// `aten::searchsorted.Tensor`
    pub const searchsorted_Tensor: OpId = OpId(3060);
    /// `aten::searchsorted.Tensor_out`
    pub const searchsorted_Tensor_out: OpId = OpId(3062);
    /// `aten::segment_reduce`
    pub const segment_reduce: OpId = OpId(2699);
    /// `aten::segment_reduce.out`
    pub const segment_reduce_out: OpId = OpId(2700);
    /// `aten::select_backward`
    pub const select_backward: OpId = OpId(2509);
    /// `aten::select_backward.out`
    pub const select_backward_out: OpId = OpId(2510);
    /// `aten::select_copy.int`
    pub const select_copy_int: OpId = OpId(2435);
    /// `aten::select_copy.int_out`
    pub const select_copy_int_out: OpId = OpId(2436);
    /// `aten::select.int`
    pub const select_int: OpId = OpId(3490);
    /// `aten::select_scatter`
    pub const select_scatter: OpId = OpId(2437);
    /// `aten::select_scatter.out`
    pub const select_scatter_out: OpId = OpId(2438);
    /// `aten::select.t`
    pub const select_t: OpId = OpId(1045);
    /// `aten::selu`
    pub const selu: OpId = OpId(59);
    /// `aten::selu_`
    pub const selu_: OpId = OpId(60);
    /// `aten::set`
    pub const set: OpId = OpId(193);
    /// `aten::set_`
    pub const set_: OpId = OpId(195);
    /// `aten::set_.source_Tensor`
    pub const set__source_Tensor: OpId = OpId(196);
    /// `aten::set_.source_Tensor_storage_offset`
    pub const set__source_Tensor_storage_offset: OpId = OpId(197);
    /// `aten::set_grad_enabled`
    pub const set_grad_enabled: OpId = OpId(2049);
    /// `aten::set.out`
    pub const set_out: OpId = OpId(198);
    /// `aten::set.source_Tensor`
    pub const set_source_Tensor: OpId = OpId(194);
    /// `aten::set.source_Tensor_out`
    pub const set_source_Tensor_out: OpId = OpId(199);
    /// `aten::setdefault.Tensor`
    pub const setdefault_Tensor: OpId = OpId(393);
    /// `aten::setdefault.bool`
    pub const setdefault_bool: OpId = OpId(394);
    /// `aten::setdefault.complex`
    pub const setdefault_complex: OpId = OpId(395);
    /// `aten::setdefault.float`
    pub const setdefault_float: OpId = OpId(396);
    /// `aten::setdefault.int`
    pub const setdefault_int: OpId = OpId(397);
    /// `aten::setdefault.str`
    pub const setdefault_str: OpId = OpId(398);
    /// `aten::sgn`
    pub const sgn: OpId = OpId(1708);
    /// `aten::sgn_`
    pub const sgn_: OpId = OpId(1709);
    /// `aten::sgn.out`
    pub const sgn_out: OpId = OpId(1710);
    /// `aten::sigmoid`
    pub const sigmoid: OpId = OpId(1711);
    /// `aten::sigmoid_`
    pub const sigmoid_: OpId = OpId(1712);
    /// `aten::sigmoid_backward`
    pub const sigmoid_backward: OpId = OpId(1714);
    /// `aten::sigmoid_backward.grad_input`
    pub const sigmoid_backward_grad_input: OpId = OpId(1979);
    /// `aten::sigmoid.out`
    pub const sigmoid_out: OpId = OpId(1713);
    /// `aten::sign`
    pub const sign: OpId = OpId(1715);
    /// `aten::sign_`
    pub const sign_: OpId = OpId(1716);
    /// `aten::sign.out`
    pub const sign_out: OpId = OpId(1717);
    /// `aten::signbit`
    pub const signbit: OpId = OpId(1718);
    /// `aten::signbit.out`
    pub const signbit_out: OpId = OpId(1719);
    /// `aten::silu`
    pub const silu: OpId = OpId(61);
    /// `aten::silu_`
    pub const silu_: OpId = OpId(62);
    /// `aten::silu_backward`
    pub const silu_backward: OpId = OpId(84);
    /// `aten::silu_backward.grad_input`
    pub const silu_backward_grad_input: OpId = OpId(85);
    /// `aten::silu.out`
    pub const silu_out: OpId = OpId(63);
    /// `aten::sin`
    pub const sin: OpId = OpId(1720);
    /// `aten::sin_`
    pub const sin_: OpId = OpId(1721);
    /// `aten::sin.Scalar`
    pub const sin_Scalar: OpId = OpId(2949);
    /// `aten::sin.complex`
    pub const sin_complex: OpId = OpId(2950);
    /// `aten::sin.float`
    pub const sin_float: OpId = OpId(2951);
    /// `aten::sin.int`
    pub const sin_int: OpId = OpId(2952);
    /// `aten::sin.out`
    pub const sin_out: OpId = OpId(1722);
    /// `aten::sinc`
    pub const sinc: OpId = OpId(1853);
    /// `aten::sinc_`
    pub const sinc_: OpId = OpId(1854);
    /// `aten::sinc.out`
    pub const sinc_out: OpId = OpId(1855);
    /// `aten::sinh`
    pub const sinh: OpId = OpId(1723);
    /// `aten::sinh_`
    pub const sinh_: OpId = OpId(1724);
    /// `aten::sinh.Scalar`
    pub const sinh_Scalar: OpId = OpId(2953);
    /// `aten::sinh.complex`
    pub const sinh_complex: OpId = OpId(2954);
    /// `aten::sinh.float`
    pub const sinh_float: OpId = OpId(2955);
    /// `aten::sinh.int`
    pub const sinh_int: OpId = OpId(2956);
    /// `aten::sinh.out`
    pub const sinh_out: OpId = OpId(1725);
    /// `aten::size`
    pub const size: OpId = OpId(3304);
    /// `aten::size.int`
    pub const size_int: OpId = OpId(3305);
    /// `aten::slice.Tensor`
    pub const slice_Tensor: OpId = OpId(3491);
    /// `aten::slice_backward`
    pub const slice_backward: OpId = OpId(2511);
    /// `aten::slice_backward.out`
    pub const slice_backward_out: OpId = OpId(2512);
    /// `aten::slice_copy.Tensor`
    pub const slice_copy_Tensor: OpId = OpId(2439);
    /// `aten::slice_copy.Tensor_out`
    pub const slice_copy_Tensor_out: OpId = OpId(2440);
    /// `aten::slice_inverse`
    pub const slice_inverse: OpId = OpId(3553);
    /// `aten::slice_scatter`
    pub const slice_scatter: OpId = OpId(2441);
    /// `aten::slice_scatter.out`
    pub const slice_scatter_out: OpId = OpId(2442);
    /// `aten::slice.str`
    pub const slice_str: OpId = OpId(3279);
    /// `aten::slice.t`
    pub const slice_t: OpId = OpId(1046);
    /// `aten::slogdet`
    pub const slogdet: OpId = OpId(986);
    /// `aten::slogdet.out`
    pub const slogdet_out: OpId = OpId(987);
    /// `aten::slow_conv3d`
    pub const slow_conv3d: OpId = OpId(134);
    /// `aten::slow_conv_dilated2d`
    pub const slow_conv_dilated2d: OpId = OpId(135);
    /// `aten::slow_conv_dilated3d`
    pub const slow_conv_dilated3d: OpId = OpId(136);
    /// `aten::slow_conv_transpose2d`
    pub const slow_conv_transpose2d: OpId = OpId(137);
    /// `aten::slow_conv_transpose2d.out`
    pub const slow_conv_transpose2d_out: OpId = OpId(138);
    /// `aten::smooth_l1_loss`
    pub const smooth_l1_loss: OpId = OpId(1131);
    /// `aten::smooth_l1_loss_backward`
    pub const smooth_l1_loss_backward: OpId = OpId(1157);
    /// `aten::smooth_l1_loss_backward.grad_input`
    pub const smooth_l1_loss_backward_grad_input: OpId = OpId(1158);
    /// `aten::smooth_l1_loss.out`
    pub const smooth_l1_loss_out: OpId = OpId(1132);
    /// `aten::soft_margin_loss`
    pub const soft_margin_loss: OpId = OpId(1159);
    /// `aten::soft_margin_loss_backward`
    pub const soft_margin_loss_backward: OpId = OpId(1161);
    /// `aten::soft_margin_loss_backward.grad_input`
    pub const soft_margin_loss_backward_grad_input: OpId = OpId(1162);
    /// `aten::soft_margin_loss.out`
    pub const soft_margin_loss_out: OpId = OpId(1160);
    /// `aten::softmax.int`
    pub const softmax_int: OpId = OpId(64);
    /// `aten::softmax.int_out`
    pub const softmax_int_out: OpId = OpId(65);
    /// `aten::softplus`
    pub const softplus: OpId = OpId(66);
    /// `aten::softplus_backward`
    pub const softplus_backward: OpId = OpId(68);
    /// `aten::softplus_backward.grad_input`
    pub const softplus_backward_grad_input: OpId = OpId(100);
    /// `aten::softplus.out`
    pub const softplus_out: OpId = OpId(67);
    /// `aten::softshrink`
    pub const softshrink: OpId = OpId(69);
    /// `aten::softshrink_backward`
    pub const softshrink_backward: OpId = OpId(86);
    /// `aten::softshrink_backward.grad_input`
    pub const softshrink_backward_grad_input: OpId = OpId(87);
    /// `aten::softshrink.out`
    pub const softshrink_out: OpId = OpId(70);
    /// `aten::sort`
    pub const sort: OpId = OpId(3063);
    /// `aten::sort.Tensor`
    pub const sort_Tensor: OpId = OpId(1047);
    /// `aten::sort.any`
    pub const sort_any: OpId = OpId(1048);
    /// `aten::sort.bool`
    pub const sort_bool: OpId = OpId(1049);
    /// `aten::sort.float`
    pub const sort_float: OpId = OpId(1050);
    /// `aten::sort.int`
    pub const sort_int: OpId = OpId(1051);
    /// `aten::sort.stable`
    pub const sort_stable: OpId = OpId(3064);
    /// `aten::sort.str`
    pub const sort_str: OpId = OpId(1052);
    /// `aten::sort.values`
    pub const sort_values: OpId = OpId(3065);
    /// `aten::sort.values_stable`
    pub const sort_values_stable: OpId = OpId(3066);
    /// `aten::sorted.Tensor`
    pub const sorted_Tensor: OpId = OpId(1053);
    /// `aten::sorted.any`
    pub const sorted_any: OpId = OpId(1054);
    /// `aten::sorted.bool`
    pub const sorted_bool: OpId = OpId(1055);
    /// `aten::sorted.float`
    pub const sorted_float: OpId = OpId(1056);
    /// `aten::sorted.int`
    pub const sorted_int: OpId = OpId(1057);
    /// `aten::sorted.str`
    pub const sorted_str: OpId = OpId(1058);
    /// `aten::special_airy_ai`
    pub const special_airy_ai: OpId = OpId(3097);
    /// `aten::special_airy_ai.out`
    pub const special_airy_ai_out: OpId = OpId(3098);
    /// `aten::special_bessel_j0`
    pub const special_bessel_j0: OpId = OpId(3099);
    /// `aten::special_bessel_j0.out`
    pub const special_bessel_j0_out: OpId = OpId(3100);
    /// `aten::special_bessel_j1`
    pub const special_bessel_j1: OpId = OpId(3101);
    /// `aten::special_bessel_j1.out`
    pub const special_bessel_j1_out: OpId = OpId(3102);
    /// `aten::special_bessel_y0`
    pub const special_bessel_y0: OpId = OpId(3103);
    /// `aten::special_bessel_y0.out`
    pub const special_bessel_y0_out: OpId = OpId(3104);
    /// `aten::special_bessel_y1`
    pub const special_bessel_y1: OpId = OpId(3105);
    /// `aten::special_bessel_y1.out`
    pub const special_bessel_y1_out: OpId = OpId(3106);
    /// `aten::special_chebyshev_polynomial_t`
    pub const special_chebyshev_polynomial_t: OpId = OpId(3107);
    /// `aten::special_chebyshev_polynomial_t.n_scalar`
    pub const special_chebyshev_polynomial_t_n_scalar: OpId = OpId(3108);
    /// `aten::special_chebyshev_polynomial_t.n_scalar_out`
    pub const special_chebyshev_polynomial_t_n_scalar_out: OpId = OpId(3110);
    /// `aten::special_chebyshev_polynomial_t.out`
    pub const special_chebyshev_polynomial_t_out: OpId = OpId(3111);
    /// `aten::special_chebyshev_polynomial_t.x_scalar`
    pub const special_chebyshev_polynomial_t_x_scalar: OpId = OpId(3109);
    /// `aten::special_chebyshev_polynomial_t.x_scalar_out`
    pub const special_chebyshev_polynomial_t_x_scalar_out: OpId = OpId(3112);
    /// `aten::special_chebyshev_polynomial_u`
    pub const special_chebyshev_polynomial_u: OpId = OpId(3113);
    /// `aten::special_chebyshev_polynomial_u.n_scalar`
    pub const special_chebyshev_polynomial_u_n_scalar: OpId = OpId(3114);
    /// `aten::special_chebyshev_polynomial_u.n_scalar_out`
    pub const special_chebyshev_polynomial_u_n_scalar_out: OpId = OpId(3116);
    /// `aten::special_chebyshev_polynomial_u.out`
    pub const special_chebyshev_polynomial_u_out: OpId = OpId(3117);
    /// `aten::special_chebyshev_polynomial_u.x_scalar`
    pub const special_chebyshev_polynomial_u_x_scalar: OpId = OpId(3115);
    /// `aten::special_chebyshev_polynomial_u.x_scalar_out`
    pub const special_chebyshev_polynomial_u_x_scalar_out: OpId = OpId(3118);
    /// `aten::special_chebyshev_polynomial_v`
    pub const special_chebyshev_polynomial_v: OpId = OpId(3119);
    /// `aten::special_chebyshev_polynomial_v.n_scalar`
    pub const special_chebyshev_polynomial_v_n_scalar: OpId = OpId(3120);
    /// `aten::special_chebyshev_polynomial_v.n_scalar_out`
    pub const special_chebyshev_polynomial_v_n_scalar_out: OpId = OpId(3122);
    /// `aten::special_chebyshev_polynomial_v.out`
    pub const special_chebyshev_polynomial_v_out: OpId = OpId(3123);
    /// `aten::special_chebyshev_polynomial_v.x_scalar`
    pub const special_chebyshev_polynomial_v_x_scalar: OpId = OpId(3121);
    /// `aten::special_chebyshev_polynomial_v.x_scalar_out`
    pub const special_chebyshev_polynomial_v_x_scalar_out: OpId = OpId(3124);
    /// `aten::special_chebyshev_polynomial_w`
    pub const special_chebyshev_polynomial_w: OpId = OpId(3125);
    /// `aten::special_chebyshev_polynomial_w.n_scalar`
    pub const special_chebyshev_polynomial_w_n_scalar: OpId = OpId(3126);
    /// `aten::special_chebyshev_polynomial_w.n_scalar_out`
    pub const special_chebyshev_polynomial_w_n_scalar_out: OpId = OpId(3128);
    /// `aten::special_chebyshev_polynomial_w.out`
    pub const special_chebyshev_polynomial_w_out: OpId = OpId(3129);
    /// `aten::special_chebyshev_polynomial_w.x_scalar`
    pub const special_chebyshev_polynomial_w_x_scalar: OpId = OpId(3127);
    /// `aten::special_chebyshev_polynomial_w.x_scalar_out`
    pub const special_chebyshev_polynomial_w_x_scalar_out: OpId = OpId(3130);
    /// `aten::special_digamma`
    pub const special_digamma: OpId = OpId(1856);
    /// `aten::special_digamma.out`
    pub const special_digamma_out: OpId = OpId(1857);
    /// `aten::special_entr`
    pub const special_entr: OpId = OpId(1858);
    /// `aten::special_entr.out`
    pub const special_entr_out: OpId = OpId(1859);
    /// `aten::special_erf`
    pub const special_erf: OpId = OpId(1860);
    /// `aten::special_erf.out`
    pub const special_erf_out: OpId = OpId(1861);
    /// `aten::special_erfc`
    pub const special_erfc: OpId = OpId(1862);
    /// `aten::special_erfc.out`
    pub const special_erfc_out: OpId = OpId(1863);
    /// `aten::special_erfcx`
    pub const special_erfcx: OpId = OpId(3131);
    /// `aten::special_erfcx.out`
    pub const special_erfcx_out: OpId = OpId(3132);
    /// `aten::special_erfinv`
    pub const special_erfinv: OpId = OpId(1864);
    /// `aten::special_erfinv.out`
    pub const special_erfinv_out: OpId = OpId(1865);
    /// `aten::special_exp2`
    pub const special_exp2: OpId = OpId(1866);
    /// `aten::special_exp2.out`
    pub const special_exp2_out: OpId = OpId(1867);
    /// `aten::special_expit`
    pub const special_expit: OpId = OpId(1868);
    /// `aten::special_expit.out`
    pub const special_expit_out: OpId = OpId(1869);
    /// `aten::special_expm1`
    pub const special_expm1: OpId = OpId(1726);
    /// `aten::special_expm1.out`
    pub const special_expm1_out: OpId = OpId(1727);
    /// `aten::special_gammainc`
    pub const special_gammainc: OpId = OpId(3133);
    /// `aten::special_gammainc.out`
    pub const special_gammainc_out: OpId = OpId(3134);
    /// `aten::special_gammaincc`
    pub const special_gammaincc: OpId = OpId(3135);
    /// `aten::special_gammaincc.out`
    pub const special_gammaincc_out: OpId = OpId(3136);
    /// `aten::special_gammaln`
    pub const special_gammaln: OpId = OpId(1870);
    /// `aten::special_gammaln.out`
    pub const special_gammaln_out: OpId = OpId(1871);
    /// `aten::special_hermite_polynomial_h`
    pub const special_hermite_polynomial_h: OpId = OpId(3137);
    /// `aten::special_hermite_polynomial_h.n_scalar`
    pub const special_hermite_polynomial_h_n_scalar: OpId = OpId(3138);
    /// `aten::special_hermite_polynomial_h.n_scalar_out`
    pub const special_hermite_polynomial_h_n_scalar_out: OpId = OpId(3140);
    /// `aten::special_hermite_polynomial_h.out`
    pub const special_hermite_polynomial_h_out: OpId = OpId(3141);
    /// `aten::special_hermite_polynomial_h.x_scalar`
    pub const special_hermite_polynomial_h_x_scalar: OpId = OpId(3139);
    /// `aten::special_hermite_polynomial_h.x_scalar_out`
    pub const special_hermite_polynomial_h_x_scalar_out: OpId = OpId(3142);
    /// `aten::special_hermite_polynomial_he`
    pub const special_hermite_polynomial_he: OpId = OpId(3143);
    /// `aten::special_hermite_polynomial_he.n_scalar`
    pub const special_hermite_polynomial_he_n_scalar: OpId = OpId(3144);
    /// `aten::special_hermite_polynomial_he.n_scalar_out`
    pub const special_hermite_polynomial_he_n_scalar_out: OpId = OpId(3146);
    /// `aten::special_hermite_polynomial_he.out`
    pub const special_hermite_polynomial_he_out: OpId = OpId(3147);
    /// `aten::special_hermite_polynomial_he.x_scalar`
    pub const special_hermite_polynomial_he_x_scalar: OpId = OpId(3145);
    /// `aten::special_hermite_polynomial_he.x_scalar_out`
    pub const special_hermite_polynomial_he_x_scalar_out: OpId = OpId(3148);
    /// `aten::special_i0`
    pub const special_i0: OpId = OpId(3149);
    /// `aten::special_i0.out`
    pub const special_i0_out: OpId = OpId(3150);
    /// `aten::special_i0e`
    pub const special_i0e: OpId = OpId(3151);
    /// `aten::special_i0e.out`
    pub const special_i0e_out: OpId = OpId(3152);
    /// `aten::special_i1`
    pub const special_i1: OpId = OpId(3153);
    /// `aten::special_i1.out`
    pub const special_i1_out: OpId = OpId(3154);
    /// `aten::special_i1e`
    pub const special_i1e: OpId = OpId(3155);
    /// `aten::special_i1e.out`
    pub const special_i1e_out: OpId = OpId(3156);
    /// `aten::special_laguerre_polynomial_l`
    pub const special_laguerre_polynomial_l: OpId = OpId(3157);
    /// `aten::special_laguerre_polynomial_l.n_scalar`
    pub const special_laguerre_polynomial_l_n_scalar: OpId = OpId(3158);
    /// `aten::special_laguerre_polynomial_l.n_scalar_out`
    pub const special_laguerre_polynomial_l_n_scalar_out: OpId = OpId(3160);
    /// `aten::special_laguerre_polynomial_l.out`
    pub const special_laguerre_polynomial_l_out: OpId = OpId(3161);
    /// `aten::special_laguerre_polynomial_l.x_scalar`
    pub const special_laguerre_polynomial_l_x_scalar: OpId = OpId(3159);
    /// `aten::special_laguerre_polynomial_l.x_scalar_out`
    pub const special_laguerre_polynomial_l_x_scalar_out: OpId = OpId(3162);
    /// `aten::special_legendre_polynomial_p`
    pub const special_legendre_polynomial_p: OpId = OpId(3163);
    /// `aten::special_legendre_polynomial_p.n_scalar`
    pub const special_legendre_polynomial_p_n_scalar: OpId = OpId(3164);
    /// `aten::special_legendre_polynomial_p.n_scalar_out`
    pub const special_legendre_polynomial_p_n_scalar_out: OpId = OpId(3166);
    /// `aten::special_legendre_polynomial_p.out`
    pub const special_legendre_polynomial_p_out: OpId = OpId(3167);
    /// `aten::special_legendre_polynomial_p.x_scalar`
    pub const special_legendre_polynomial_p_x_scalar: OpId = OpId(3165);
    /// `aten::special_legendre_polynomial_p.x_scalar_out`
    pub const special_legendre_polynomial_p_x_scalar_out: OpId = OpId(3168);
    /// `aten::special_log1p`
    pub const special_log1p: OpId = OpId(1872);
    /// `aten::special_log1p.out`
    pub const special_log1p_out: OpId = OpId(1873);
    /// `aten::special_log_ndtr`
    pub const special_log_ndtr: OpId = OpId(3169);
    /// `aten::special_log_ndtr.out`
    pub const special_log_ndtr_out: OpId = OpId(3170);
    /// `aten::special_log_softmax`
    pub const special_log_softmax: OpId = OpId(101);
    /// `aten::special_logit`
    pub const special_logit: OpId = OpId(1874);
    /// `aten::special_logit.out`
    pub const special_logit_out: OpId = OpId(1875);
    /// `aten::special_logsumexp`
    pub const special_logsumexp: OpId = OpId(2701);
    /// `aten::special_logsumexp.out`
    pub const special_logsumexp_out: OpId = OpId(2702);
    /// `aten::special_modified_bessel_i0`
    pub const special_modified_bessel_i0: OpId = OpId(3171);
    /// `aten::special_modified_bessel_i0.out`
    pub const special_modified_bessel_i0_out: OpId = OpId(3172);
    /// `aten::special_modified_bessel_i1`
    pub const special_modified_bessel_i1: OpId = OpId(3173);
    /// `aten::special_modified_bessel_i1.out`
    pub const special_modified_bessel_i1_out: OpId = OpId(3174);
    /// `aten::special_modified_bessel_k0`
    pub const special_modified_bessel_k0: OpId = OpId(3175);
    /// `aten::special_modified_bessel_k0.out`
    pub const special_modified_bessel_k0_out: OpId = OpId(3176);
    /// `aten::special_modified_bessel_k1`
    pub const special_modified_bessel_k1: OpId = OpId(3177);
    /// `aten::special_modified_bessel_k1.out`
    pub const special_modified_bessel_k1_out: OpId = OpId(3178);
    /// `aten::special_multigammaln`
    pub const special_multigammaln: OpId = OpId(3179);
    /// `aten::special_multigammaln.out`
    pub const special_multigammaln_out: OpId = OpId(3180);
    /// `aten::special_ndtr`
    pub const special_ndtr: OpId = OpId(1876);
    /// `aten::special_ndtr.out`
    pub const special_ndtr_out: OpId = OpId(1877);
    /// `aten::special_ndtri`
    pub const special_ndtri: OpId = OpId(3181);
    /// `aten::special_ndtri.out`
    pub const special_ndtri_out: OpId = OpId(3182);
    /// `aten::special_polygamma`
    pub const special_polygamma: OpId = OpId(3183);
    /// `aten::special_polygamma.out`
    pub const special_polygamma_out: OpId = OpId(3184);
    /// `aten::special_psi`
    pub const special_psi: OpId = OpId(1878);
    /// `aten::special_psi.out`
    pub const special_psi_out: OpId = OpId(1879);
    /// `aten::special_round`
    pub const special_round: OpId = OpId(1880);
    /// `aten::special_round.out`
    pub const special_round_out: OpId = OpId(1881);
    /// `aten::special_scaled_modified_bessel_k0`
    pub const special_scaled_modified_bessel_k0: OpId = OpId(3185);
    /// `aten::special_scaled_modified_bessel_k0.out`
    pub const special_scaled_modified_bessel_k0_out: OpId = OpId(3186);
    /// `aten::special_scaled_modified_bessel_k1`
    pub const special_scaled_modified_bessel_k1: OpId = OpId(3187);
    /// `aten::special_scaled_modified_bessel_k1.out`
    pub const special_scaled_modified_bessel_k1_out: OpId = OpId(3188);
    /// `aten::special_shifted_chebyshev_polynomial_t`
    pub const special_shifted_chebyshev_polynomial_t: OpId = OpId(3189);
    /// `aten::special_shifted_chebyshev_polynomial_t.n_scalar`
    pub const special_shifted_chebyshev_polynomial_t_n_scalar: OpId = OpId(3190);
    /// `aten::special_shifted_chebyshev_polynomial_t.n_scalar_out`
    pub const special_shifted_chebyshev_polynomial_t_n_scalar_out: OpId = OpId(3192);
    /// `aten::special_shifted_chebyshev_polynomial_t.out`
    pub const special_shifted_chebyshev_polynomial_t_out: OpId = OpId(3193);
    /// `aten::special_shifted_chebyshev_polynomial_t.x_scalar`
    pub const special_shifted_chebyshev_polynomial_t_x_scalar: OpId = OpId(3191);
    /// `aten::special_shifted_chebyshev_polynomial_t.x_scalar_out`
    pub const special_shifted_chebyshev_polynomial_t_x_scalar_out: OpId = OpId(3194);
    /// `aten::special_shifted_chebyshev_polynomial_u`
    pub const special_shifted_chebyshev_polynomial_u: OpId = OpId(3195);
    /// `aten::special_shifted_chebyshev_polynomial_u.n_scalar`
    pub const special_shifted_chebyshev_polynomial_u_n_scalar: OpId = OpId(3196);
    /// `aten::special_shifted_chebyshev_polynomial_u.n_scalar_out`
    pub const special_shifted_chebyshev_polynomial_u_n_scalar_out: OpId = OpId(3198);
    /// `aten::special_shifted_chebyshev_polynomial_u.out`
    pub const special_shifted_chebyshev_polynomial_u_out: OpId = OpId(3199);
    /// `aten::special_shifted_chebyshev_polynomial_u.x_scalar`
    pub const special_shifted_chebyshev_polynomial_u_x_scalar: OpId = OpId(3197);
    /// `aten::special_shifted_chebyshev_polynomial_u.x_scalar_out`
    pub const special_shifted_chebyshev_polynomial_u_x_scalar_out: OpId = OpId(3200);
    /// `aten::special_shifted_chebyshev_polynomial_v`
    pub const special_shifted_chebyshev_polynomial_v: OpId = OpId(3201);
    /// `aten::special_shifted_chebyshev_polynomial_v.n_scalar`
    pub const special_shifted_chebyshev_polynomial_v_n_scalar: OpId = OpId(3202);
    /// `aten::special_shifted_chebyshev_polynomial_v.n_scalar_out`
    pub const special_shifted_chebyshev_polynomial_v_n_scalar_out: OpId = OpId(3204);
    /// `aten::special_shifted_chebyshev_polynomial_v.out`
    pub const special_shifted_chebyshev_polynomial_v_out: OpId = OpId(3205);
    /// `aten::special_shifted_chebyshev_polynomial_v.x_scalar`
    pub const special_shifted_chebyshev_polynomial_v_x_scalar: OpId = OpId(3203);
    /// `aten::special_shifted_chebyshev_polynomial_v.x_scalar_out`
    pub const special_shifted_chebyshev_polynomial_v_x_scalar_out: OpId = OpId(3206);
    /// `aten::special_shifted_chebyshev_polynomial_w`
    pub const special_shifted_chebyshev_polynomial_w: OpId = OpId(3207);
    /// `aten::special_shifted_chebyshev_polynomial_w.n_scalar`
    pub const special_shifted_chebyshev_polynomial_w_n_scalar: OpId = OpId(3208);
    /// `aten::special_shifted_chebyshev_polynomial_w.n_scalar_out`
    pub const special_shifted_chebyshev_polynomial_w_n_scalar_out: OpId = OpId(3210);
    /// `aten::special_shifted_chebyshev_polynomial_w.out`
    pub const special_shifted_chebyshev_polynomial_w_out: OpId = OpId(3211);
    /// `aten::special_shifted_chebyshev_polynomial_w.x_scalar`
    pub const special_shifted_chebyshev_polynomial_w_x_scalar: OpId = OpId(3209);
    /// `aten::special_shifted_chebyshev_polynomial_w.x_scalar_out`
    pub const special_shifted_chebyshev_polynomial_w_x_scalar_out: OpId = OpId(3212);
    /// `aten::special_sinc`
    pub const special_sinc: OpId = OpId(1882);
    /// `aten::special_sinc.out`
    pub const special_sinc_out: OpId = OpId(1883);
    /// `aten::special_softmax`
    pub const special_softmax: OpId = OpId(102);
    /// `aten::special_spherical_bessel_j0`
    pub const special_spherical_bessel_j0: OpId = OpId(3213);
    /// `aten::special_spherical_bessel_j0.out`
    pub const special_spherical_bessel_j0_out: OpId = OpId(3214);
    /// `aten::special_xlog1py`
    pub const special_xlog1py: OpId = OpId(1884);
    /// `aten::special_xlog1py.other_scalar`
    pub const special_xlog1py_other_scalar: OpId = OpId(1885);
    /// `aten::special_xlog1py.other_scalar_out`
    pub const special_xlog1py_other_scalar_out: OpId = OpId(1887);
    /// `aten::special_xlog1py.out`
    pub const special_xlog1py_out: OpId = OpId(1888);
    /// `aten::special_xlog1py.self_scalar`
    pub const special_xlog1py_self_scalar: OpId = OpId(1886);
    /// `aten::special_xlog1py.self_scalar_out`
    pub const special_xlog1py_self_scalar_out: OpId = OpId(1889);
    /// `aten::special_xlogy`
    pub const special_xlogy: OpId = OpId(1890);
    /// `aten::special_xlogy.other_scalar`
    pub const special_xlogy_other_scalar: OpId = OpId(1891);
    /// `aten::special_xlogy.other_scalar_out`
    pub const special_xlogy_other_scalar_out: OpId = OpId(1893);
    /// `aten::special_xlogy.out`
    pub const special_xlogy_out: OpId = OpId(1894);
    /// `aten::special_xlogy.self_scalar`
    pub const special_xlogy_self_scalar: OpId = OpId(1892);
    /// `aten::special_xlogy.self_scalar_out`
    pub const special_xlogy_self_scalar_out: OpId = OpId(1895);
    /// `aten::special_zeta`
    pub const special_zeta: OpId = OpId(3215);
    /// `aten::special_zeta.other_scalar`
    pub const special_zeta_other_scalar: OpId = OpId(3216);
    /// `aten::special_zeta.other_scalar_out`
    pub const special_zeta_other_scalar_out: OpId = OpId(3218);
    /// `aten::special_zeta.out`
    pub const special_zeta_out: OpId = OpId(3219);
    /// `aten::special_zeta.self_scalar`
    pub const special_zeta_self_scalar: OpId = OpId(3217);
    /// `aten::special_zeta.self_scalar_out`
    pub const special_zeta_self_scalar_out: OpId = OpId(3220);
    /// `aten::split`
    pub const split: OpId = OpId(3492);
    /// `aten::split.Tensor`
    pub const split_Tensor: OpId = OpId(3493);
    /// `aten::split_copy.Tensor`
    pub const split_copy_Tensor: OpId = OpId(2443);
    /// `aten::split_copy.Tensor_out`
    pub const split_copy_Tensor_out: OpId = OpId(2513);
    /// `aten::split.sizes`
    pub const split_sizes: OpId = OpId(3494);
    /// `aten::split.str`
    pub const split_str: OpId = OpId(3280);
    /// `aten::split_with_sizes`
    pub const split_with_sizes: OpId = OpId(3495);
    /// `aten::split_with_sizes_copy`
    pub const split_with_sizes_copy: OpId = OpId(2444);
    /// `aten::split_with_sizes_copy.out`
    pub const split_with_sizes_copy_out: OpId = OpId(2514);
    /// `aten::splitlines`
    pub const splitlines: OpId = OpId(3281);
    /// `aten::sqrt`
    pub const sqrt: OpId = OpId(1728);
    /// `aten::sqrt_`
    pub const sqrt_: OpId = OpId(1729);
    /// `aten::sqrt.Scalar`
    pub const sqrt_Scalar: OpId = OpId(2957);
    /// `aten::sqrt.complex`
    pub const sqrt_complex: OpId = OpId(2958);
    /// `aten::sqrt.float`
    pub const sqrt_float: OpId = OpId(2959);
    /// `aten::sqrt.int`
    pub const sqrt_int: OpId = OpId(2960);
    /// `aten::sqrt.out`
    pub const sqrt_out: OpId = OpId(1730);
    /// `aten::square`
    pub const square: OpId = OpId(1731);
    /// `aten::square_`
    pub const square_: OpId = OpId(1732);
    /// `aten::square.out`
    pub const square_out: OpId = OpId(1733);
    /// `aten::squeeze`
    pub const squeeze: OpId = OpId(3496);
    /// `aten::squeeze_`
    pub const squeeze_: OpId = OpId(3499);
    /// `aten::squeeze_.dim`
    pub const squeeze__dim: OpId = OpId(3500);
    /// `aten::squeeze_.dims`
    pub const squeeze__dims: OpId = OpId(3501);
    /// `aten::squeeze_copy`
    pub const squeeze_copy: OpId = OpId(2445);
    /// `aten::squeeze_copy.dim`
    pub const squeeze_copy_dim: OpId = OpId(2446);
    /// `aten::squeeze_copy.dim_out`
    pub const squeeze_copy_dim_out: OpId = OpId(2447);
    /// `aten::squeeze_copy.dims`
    pub const squeeze_copy_dims: OpId = OpId(2515);
    /// `aten::squeeze_copy.dims_out`
    pub const squeeze_copy_dims_out: OpId = OpId(2448);
    /// `aten::squeeze_copy.out`
    pub const squeeze_copy_out: OpId = OpId(2449);
    /// `aten::squeeze.dim`
    pub const squeeze_dim: OpId = OpId(3497);
    /// `aten::squeeze.dims`
    pub const squeeze_dims: OpId = OpId(3498);
    /// `aten::stack`
    pub const stack: OpId = OpId(2450);
    /// `aten::stack.out`
    pub const stack_out: OpId = OpId(2451);
    /// `aten::startswith`
    pub const startswith: OpId = OpId(3282);
    /// `aten::std`
    pub const std: OpId = OpId(2613);
    /// `aten::std.correction`
    pub const std_correction: OpId = OpId(2614);
    /// `aten::std.correction_out`
    pub const std_correction_out: OpId = OpId(2616);
    /// `aten::std.dim`
    pub const std_dim: OpId = OpId(2615);
    /// `aten::std_mean`
    pub const std_mean: OpId = OpId(2703);
    /// `aten::std_mean.correction`
    pub const std_mean_correction: OpId = OpId(2704);
    /// `aten::std_mean.correction_out`
    pub const std_mean_correction_out: OpId = OpId(2706);
    /// `aten::std_mean.dim`
    pub const std_mean_dim: OpId = OpId(2705);
    /// `aten::std.out`
    pub const std_out: OpId = OpId(2617);
    /// `aten::stft`
    pub const stft: OpId = OpId(496);
    /// `aten::stft.center`
    pub const stft_center: OpId = OpId(497);
    /// `aten::storage_offset`
    pub const storage_offset: OpId = OpId(3306);
    /// `aten::str`
    pub const str: OpId = OpId(3283);
    /// `aten::stride`
    pub const stride: OpId = OpId(3307);
    /// `aten::stride.int`
    pub const stride_int: OpId = OpId(3308);
    /// `aten::strip`
    pub const strip: OpId = OpId(3284);
    /// `aten::sub`
    pub const sub: OpId = OpId(2961);
    /// `aten::sub.Scalar`
    pub const sub_Scalar: OpId = OpId(1734);
    /// `aten::sub.Scalar_out`
    pub const sub_Scalar_out: OpId = OpId(1738);
    /// `aten::sub.Tensor`
    pub const sub_Tensor: OpId = OpId(1735);
    /// `aten::sub_.Scalar`
    pub const sub__Scalar: OpId = OpId(1736);
    /// `aten::sub_.Tensor`
    pub const sub__Tensor: OpId = OpId(1737);
    /// `aten::sub.complex`
    pub const sub_complex: OpId = OpId(2962);
    /// `aten::sub.complex_float`
    pub const sub_complex_float: OpId = OpId(2963);
    /// `aten::sub.complex_int`
    pub const sub_complex_int: OpId = OpId(2964);
    /// `aten::sub.float`
    pub const sub_float: OpId = OpId(2965);
    /// `aten::sub.float_complex`
    pub const sub_float_complex: OpId = OpId(2966);
    /// `aten::sub.float_int`
    pub const sub_float_int: OpId = OpId(2967);
    /// `aten::sub.int`
    pub const sub_int: OpId = OpId(2968);
    /// `aten::sub.int_complex`
    pub const sub_int_complex: OpId = OpId(2969);
    /// `aten::sub.int_float`
    pub const sub_int_float: OpId = OpId(2970);
    /// `aten::sub.out`
    pub const sub_out: OpId = OpId(1739);
    /// `aten::subtract.Scalar`
    pub const subtract_Scalar: OpId = OpId(1896);
    /// `aten::subtract.Tensor`
    pub const subtract_Tensor: OpId = OpId(1897);
    /// `aten::subtract_.Scalar`
    pub const subtract__Scalar: OpId = OpId(1898);
    /// `aten::subtract_.Tensor`
    pub const subtract__Tensor: OpId = OpId(1899);
    /// `aten::subtract.out`
    pub const subtract_out: OpId = OpId(1900);
    /// `aten::sum`
    pub const sum: OpId = OpId(2618);
    /// `aten::sum.IntList_out`
    pub const sum_IntList_out: OpId = OpId(2620);
    /// `aten::sum.bool`
    pub const sum_bool: OpId = OpId(1059);
    /// `aten::sum.complex`
    pub const sum_complex: OpId = OpId(1060);
    /// `aten::sum.dim_IntList`
    pub const sum_dim_IntList: OpId = OpId(2619);
    /// `aten::sum.float`
    pub const sum_float: OpId = OpId(1061);
    /// `aten::sum.int`
    pub const sum_int: OpId = OpId(1062);
    /// `aten::sum.out`
    pub const sum_out: OpId = OpId(2621);
    /// `aten::sum_to_size`
    pub const sum_to_size: OpId = OpId(2707);
    /// `aten::svd`
    pub const svd: OpId = OpId(988);
    /// `aten::svd.U`
    pub const svd_U: OpId = OpId(989);
    /// `aten::swapaxes`
    pub const swapaxes: OpId = OpId(3554);
    /// `aten::swapaxes_`
    pub const swapaxes_: OpId = OpId(3555);
    /// `aten::swapcase`
    pub const swapcase: OpId = OpId(3285);
    /// `aten::swapdims`
    pub const swapdims: OpId = OpId(3556);
    /// `aten::swapdims_`
    pub const swapdims_: OpId = OpId(3557);
    /// `aten::sym_constrain_range`
    pub const sym_constrain_range: OpId = OpId(3309);
    /// `aten::sym_constrain_range_for_size`
    pub const sym_constrain_range_for_size: OpId = OpId(3310);
    /// `aten::sym_is_contiguous`
    pub const sym_is_contiguous: OpId = OpId(3311);
    /// `aten::sym_numel`
    pub const sym_numel: OpId = OpId(3312);
    /// `aten::sym_size`
    pub const sym_size: OpId = OpId(3313);
    /// `aten::sym_size.int`
    pub const sym_size_int: OpId = OpId(3314);
    /// `aten::sym_storage_offset`
    pub const sym_storage_offset: OpId = OpId(3315);
    /// `aten::sym_stride`
    pub const sym_stride: OpId = OpId(3350);
    /// `aten::sym_stride.int`
    pub const sym_stride_int: OpId = OpId(3316);
    /// `aten::t`
    pub const t: OpId = OpId(3502);
    /// `aten::t_`
    pub const t_: OpId = OpId(3503);
    /// `aten::t_copy`
    pub const t_copy: OpId = OpId(2452);
    /// `aten::t_copy.out`
    pub const t_copy_out: OpId = OpId(2453);
    /// `aten::take`
    pub const take: OpId = OpId(832);
    /// `aten::take_along_dim`
    pub const take_along_dim: OpId = OpId(834);
    /// `aten::take_along_dim.out`
    pub const take_along_dim_out: OpId = OpId(835);
    /// `aten::take.out`
    pub const take_out: OpId = OpId(833);
    /// `aten::tan`
    pub const tan: OpId = OpId(1740);
    /// `aten::tan_`
    pub const tan_: OpId = OpId(1741);
    /// `aten::tan.Scalar`
    pub const tan_Scalar: OpId = OpId(3041);
    /// `aten::tan.complex`
    pub const tan_complex: OpId = OpId(3042);
    /// `aten::tan.float`
    pub const tan_float: OpId = OpId(3043);
    /// `aten::tan.int`
    pub const tan_int: OpId = OpId(3044);
    /// `aten::tan.out`
    pub const tan_out: OpId = OpId(1742);
    /// `aten::tanh`
    pub const tanh: OpId = OpId(1743);
    /// `aten::tanh_`
    pub const tanh_: OpId = OpId(1744);
    /// `aten::tanh.Scalar`
    pub const tanh_Scalar: OpId = OpId(2971);
    /// `aten::tanh_backward`
    pub const tanh_backward: OpId = OpId(1746);
    /// `aten::tanh_backward.grad_input`
    pub const tanh_backward_grad_input: OpId = OpId(1980);
    /// `aten::tanh.complex`
    pub const tanh_complex: OpId = OpId(2972);
    /// `aten::tanh.float`
    pub const tanh_float: OpId = OpId(2973);
    /// `aten::tanh.int`
    pub const tanh_int: OpId = OpId(2974);
    /// `aten::tanh.out`
    pub const tanh_out: OpId = OpId(1745);
    /// `aten::tensor`
    pub const tensor: OpId = OpId(262);
    /// `aten::tensor.bool`
    pub const tensor_bool: OpId = OpId(263);
    /// `aten::tensor.complex`
    pub const tensor_complex: OpId = OpId(264);
    /// `aten::tensor.float`
    pub const tensor_float: OpId = OpId(265);
    /// `aten::tensor.int`
    pub const tensor_int: OpId = OpId(266);
    /// `aten::tensor_split.indices`
    pub const tensor_split_indices: OpId = OpId(3558);
    /// `aten::tensor_split.sections`
    pub const tensor_split_sections: OpId = OpId(3504);
    /// `aten::tensor_split.tensor_indices_or_sections`
    pub const tensor_split_tensor_indices_or_sections: OpId = OpId(3559);
    /// `aten::tensordot`
    pub const tensordot: OpId = OpId(1218);
    /// `aten::tensordot.out`
    pub const tensordot_out: OpId = OpId(1219);
    /// `aten::thnn_conv2d`
    pub const thnn_conv2d: OpId = OpId(139);
    /// `aten::threshold`
    pub const threshold: OpId = OpId(71);
    /// `aten::threshold_`
    pub const threshold_: OpId = OpId(72);
    /// `aten::threshold_backward`
    pub const threshold_backward: OpId = OpId(74);
    /// `aten::threshold_backward.grad_input`
    pub const threshold_backward_grad_input: OpId = OpId(103);
    /// `aten::threshold.out`
    pub const threshold_out: OpId = OpId(73);
    /// `aten::tile`
    pub const tile: OpId = OpId(2454);
    /// `aten::title`
    pub const title: OpId = OpId(3286);
    /// `aten::to_dense`
    pub const to_dense: OpId = OpId(169);
    /// `aten::to.device`
    pub const to_device: OpId = OpId(162);
    /// `aten::to.dtype`
    pub const to_dtype: OpId = OpId(163);
    /// `aten::to.dtype_layout`
    pub const to_dtype_layout: OpId = OpId(164);
    /// `aten::to_mkldnn`
    pub const to_mkldnn: OpId = OpId(170);
    /// `aten::to_mkldnn.out`
    pub const to_mkldnn_out: OpId = OpId(171);
    /// `aten::to.other`
    pub const to_other: OpId = OpId(165);
    /// `aten::to_padded_tensor`
    pub const to_padded_tensor: OpId = OpId(2482);
    /// `aten::to.prim_Device`
    pub const to_prim_Device: OpId = OpId(166);
    /// `aten::to.prim_dtype`
    pub const to_prim_dtype: OpId = OpId(167);
    /// `aten::to.prim_other`
    pub const to_prim_other: OpId = OpId(168);
    /// `aten::topk`
    pub const topk: OpId = OpId(3067);
    /// `aten::topk.values`
    pub const topk_values: OpId = OpId(3068);
    /// `aten::trace`
    pub const trace: OpId = OpId(2622);
    /// `aten::trace.out`
    pub const trace_out: OpId = OpId(2623);
    /// `aten::transpose_`
    pub const transpose_: OpId = OpId(3506);
    /// `aten::transpose_copy.int`
    pub const transpose_copy_int: OpId = OpId(2455);
    /// `aten::transpose_copy.int_out`
    pub const transpose_copy_int_out: OpId = OpId(2456);
    /// `aten::transpose.int`
    pub const transpose_int: OpId = OpId(3505);
    /// `aten::trapezoid.dx`
    pub const trapezoid_dx: OpId = OpId(2708);
    /// `aten::trapezoid.x`
    pub const trapezoid_x: OpId = OpId(2709);
    /// `aten::trapz.dx`
    pub const trapz_dx: OpId = OpId(2710);
    /// `aten::trapz.x`
    pub const trapz_x: OpId = OpId(2711);
    /// `aten::triangular_solve`
    pub const triangular_solve: OpId = OpId(990);
    /// `aten::triangular_solve.X`
    pub const triangular_solve_X: OpId = OpId(991);
    /// `aten::tril`
    pub const tril: OpId = OpId(2457);
    /// `aten::tril_`
    pub const tril_: OpId = OpId(2458);
    /// `aten::tril_indices`
    pub const tril_indices: OpId = OpId(267);
    /// `aten::tril_indices.out`
    pub const tril_indices_out: OpId = OpId(268);
    /// `aten::tril.out`
    pub const tril_out: OpId = OpId(2459);
    /// `aten::triplet_margin_loss`
    pub const triplet_margin_loss: OpId = OpId(1133);
    /// `aten::triu`
    pub const triu: OpId = OpId(2460);
    /// `aten::triu_`
    pub const triu_: OpId = OpId(2461);
    /// `aten::triu_indices`
    pub const triu_indices: OpId = OpId(269);
    /// `aten::triu_indices.out`
    pub const triu_indices_out: OpId = OpId(270);
    /// `aten::triu.out`
    pub const triu_out: OpId = OpId(2462);
    /// `aten::true_divide.Scalar`
    pub const true_divide_Scalar: OpId = OpId(1901);
    /// `aten::true_divide.Tensor`
    pub const true_divide_Tensor: OpId = OpId(1902);
    /// `aten::true_divide_.Scalar`
    pub const true_divide__Scalar: OpId = OpId(1903);
    /// `aten::true_divide_.Tensor`
    pub const true_divide__Tensor: OpId = OpId(1904);
    /// `aten::true_divide.out`
    pub const true_divide_out: OpId = OpId(1905);
    /// `aten::trunc`
    pub const trunc: OpId = OpId(1747);
    /// `aten::trunc_`
    pub const trunc_: OpId = OpId(1748);
    /// `aten::trunc.out`
    pub const trunc_out: OpId = OpId(1749);
    /// `aten::type_as`
    pub const type_as: OpId = OpId(172);
    /// `aten::unbind_copy.int`
    pub const unbind_copy_int: OpId = OpId(2463);
    /// `aten::unbind_copy.int_out`
    pub const unbind_copy_int_out: OpId = OpId(2516);
    /// `aten::unbind.int`
    pub const unbind_int: OpId = OpId(3507);
    /// `aten::unflatten_dense_tensors`
    pub const unflatten_dense_tensors: OpId = OpId(3560);
    /// `aten::unflatten.int`
    pub const unflatten_int: OpId = OpId(3508);
    /// `aten::unfold`
    pub const unfold: OpId = OpId(3509);
    /// `aten::unfold_backward`
    pub const unfold_backward: OpId = OpId(2517);
    /// `aten::unfold_backward.out`
    pub const unfold_backward_out: OpId = OpId(2518);
    /// `aten::unfold_copy`
    pub const unfold_copy: OpId = OpId(2464);
    /// `aten::unfold_copy.out`
    pub const unfold_copy_out: OpId = OpId(2465);
    /// `aten::uniform`
    pub const uniform: OpId = OpId(2346);
    /// `aten::uniform_`
    pub const uniform_: OpId = OpId(2347);
    /// `aten::uniform.out`
    pub const uniform_out: OpId = OpId(2348);
    /// `aten::unique_consecutive`
    pub const unique_consecutive: OpId = OpId(3069);
    /// `aten::unique_consecutive.out`
    pub const unique_consecutive_out: OpId = OpId(3070);
    /// `aten::unique_dim`
    pub const unique_dim: OpId = OpId(3071);
    /// `aten::unique_dim_consecutive`
    pub const unique_dim_consecutive: OpId = OpId(3077);
    /// `aten::unique_dim_consecutive.out`
    pub const unique_dim_consecutive_out: OpId = OpId(3078);
    /// `aten::unique_dim.out`
    pub const unique_dim_out: OpId = OpId(3072);
    /// `aten::unsafe_chunk`
    pub const unsafe_chunk: OpId = OpId(3510);
    /// `aten::unsafe_split.Tensor`
    pub const unsafe_split_Tensor: OpId = OpId(3561);
    /// `aten::unsafe_split.Tensor_out`
    pub const unsafe_split_Tensor_out: OpId = OpId(3562);
    /// `aten::unsafe_split_with_sizes`
    pub const unsafe_split_with_sizes: OpId = OpId(2519);
    /// `aten::unsafe_split_with_sizes.out`
    pub const unsafe_split_with_sizes_out: OpId = OpId(2520);
    /// `aten::unsqueeze`
    pub const unsqueeze: OpId = OpId(3511);
    /// `aten::unsqueeze_`
    pub const unsqueeze_: OpId = OpId(3512);
    /// `aten::unsqueeze_copy`
    pub const unsqueeze_copy: OpId = OpId(2466);
    /// `aten::unsqueeze_copy.out`
    pub const unsqueeze_copy_out: OpId = OpId(2467);
    /// `aten::update.Tensor`
    pub const update_Tensor: OpId = OpId(399);
    /// `aten::update.bool`
    pub const update_bool: OpId = OpId(400);
    /// `aten::update.complex`
    pub const update_complex: OpId = OpId(401);
    /// `aten::update.float`
    pub const update_float: OpId = OpId(402);
    /// `aten::update.int`
    pub const update_int: OpId = OpId(403);
    /// `aten::update.str`
    pub const update_str: OpId = OpId(404);
    /// `aten::upper`
    pub const upper: OpId = OpId(3287);
    /// `aten::upsample_bicubic2d`
    pub const upsample_bicubic2d: OpId = OpId(3407);
    /// `aten::upsample_bicubic2d_backward`
    pub const upsample_bicubic2d_backward: OpId = OpId(3447);
    /// `aten::upsample_bicubic2d_backward.grad_input`
    pub const upsample_bicubic2d_backward_grad_input: OpId = OpId(3448);
    /// `aten::upsample_bicubic2d.out`
    pub const upsample_bicubic2d_out: OpId = OpId(3409);
    /// `aten::upsample_bicubic2d.vec`
    pub const upsample_bicubic2d_vec: OpId = OpId(3408);
    /// `aten::upsample_bilinear2d`
    pub const upsample_bilinear2d: OpId = OpId(3410);
    /// `aten::upsample_bilinear2d_backward`
    pub const upsample_bilinear2d_backward: OpId = OpId(3449);
    /// `aten::upsample_bilinear2d_backward.grad_input`
    pub const upsample_bilinear2d_backward_grad_input: OpId = OpId(3450);
    /// `aten::upsample_bilinear2d.out`
    pub const upsample_bilinear2d_out: OpId = OpId(3412);
    /// `aten::upsample_bilinear2d.vec`
    pub const upsample_bilinear2d_vec: OpId = OpId(3411);
    /// `aten::upsample_bilinear2d.vec_out`
    pub const upsample_bilinear2d_vec_out: OpId = OpId(3413);
    /// `aten::upsample_linear1d`
    pub const upsample_linear1d: OpId = OpId(3414);
    /// `aten::upsample_linear1d_backward`
    pub const upsample_linear1d_backward: OpId = OpId(3451);
    /// `aten::upsample_linear1d_backward.grad_input`
    pub const upsample_linear1d_backward_grad_input: OpId = OpId(3452);
    /// `aten::upsample_linear1d.out`
    pub const upsample_linear1d_out: OpId = OpId(3416);
    /// `aten::upsample_linear1d.vec`
    pub const upsample_linear1d_vec: OpId = OpId(3415);
    /// `aten::upsample_nearest1d`
    pub const upsample_nearest1d: OpId = OpId(3417);
    /// `aten::upsample_nearest1d_backward`
    pub const upsample_nearest1d_backward: OpId = OpId(3453);
    /// `aten::upsample_nearest1d_backward.grad_input`
    pub const upsample_nearest1d_backward_grad_input: OpId = OpId(3454);
    /// `aten::upsample_nearest1d.out`
    pub const upsample_nearest1d_out: OpId = OpId(3419);
    /// `aten::upsample_nearest1d.vec`
    pub const upsample_nearest1d_vec: OpId = OpId(3418);
    /// `aten::upsample_nearest2d`
    pub const upsample_nearest2d: OpId = OpId(3420);
    /// `aten::upsample_nearest2d_backward`
    pub const upsample_nearest2d_backward: OpId = OpId(3424);
    /// `aten::upsample_nearest2d_backward.grad_input`
    pub const upsample_nearest2d_backward_grad_input: OpId = OpId(3455);
    /// `aten::upsample_nearest2d.out`
    pub const upsample_nearest2d_out: OpId = OpId(3422);
    /// `aten::upsample_nearest2d.vec`
    pub const upsample_nearest2d_vec: OpId = OpId(3421);
    /// `aten::upsample_nearest2d.vec_out`
    pub const upsample_nearest2d_vec_out: OpId = OpId(3423);
    /// `aten::upsample_nearest3d`
    pub const upsample_nearest3d: OpId = OpId(3425);
    /// `aten::upsample_nearest3d_backward`
    pub const upsample_nearest3d_backward: OpId = OpId(3456);
    /// `aten::upsample_nearest3d_backward.grad_input`
    pub const upsample_nearest3d_backward_grad_input: OpId = OpId(3457);
    /// `aten::upsample_nearest3d.out`
    pub const upsample_nearest3d_out: OpId = OpId(3427);
    /// `aten::upsample_nearest3d.vec`
    pub const upsample_nearest3d_vec: OpId = OpId(3426);
    /// `aten::upsample_trilinear3d`
    pub const upsample_trilinear3d: OpId = OpId(3428);
    /// `aten::upsample_trilinear3d_backward`
    pub const upsample_trilinear3d_backward: OpId = OpId(3458);
    /// `aten::upsample_trilinear3d_backward.grad_input`
    pub const upsample_trilinear3d_backward_grad_input: OpId = OpId(3459);
    /// `aten::upsample_trilinear3d.out`
    pub const upsample_trilinear3d_out: OpId = OpId(3430);
    /// `aten::upsample_trilinear3d.vec`
    pub const upsample_trilinear3d_vec: OpId = OpId(3429);
    /// `aten::values`
    pub const values: OpId = OpId(3317);
    /// `aten::values.Tensor`
    pub const values_Tensor: OpId = OpId(405);
    /// `aten::values.bool`
    pub const values_bool: OpId = OpId(406);
    /// `aten::values.complex`
    pub const values_complex: OpId = OpId(407);
    /// `aten::values.float`
    pub const values_float: OpId = OpId(408);
    /// `aten::values.int`
    pub const values_int: OpId = OpId(409);
    /// `aten::values.str`
    pub const values_str: OpId = OpId(410);
    /// `aten::vander`
    pub const vander: OpId = OpId(2521);
    /// `aten::var`
    pub const var: OpId = OpId(2624);
    /// `aten::var.correction`
    pub const var_correction: OpId = OpId(2625);
    /// `aten::var.correction_out`
    pub const var_correction_out: OpId = OpId(2627);
    /// `aten::var.dim`
    pub const var_dim: OpId = OpId(2626);
    /// `aten::var_mean`
    pub const var_mean: OpId = OpId(2629);
    /// `aten::var_mean.correction`
    pub const var_mean_correction: OpId = OpId(2630);
    /// `aten::var_mean.correction_out`
    pub const var_mean_correction_out: OpId = OpId(2632);
    /// `aten::var_mean.dim`
    pub const var_mean_dim: OpId = OpId(2631);
    /// `aten::var.out`
    pub const var_out: OpId = OpId(2628);
    /// `aten::vdot`
    pub const vdot: OpId = OpId(1261);
    /// `aten::vdot.out`
    pub const vdot_out: OpId = OpId(1262);
    /// `aten::view`
    pub const view: OpId = OpId(3513);
    /// `aten::view_as`
    pub const view_as: OpId = OpId(3563);
    /// `aten::view_as_complex`
    pub const view_as_complex: OpId = OpId(3515);
    /// `aten::view_as_complex_copy`
    pub const view_as_complex_copy: OpId = OpId(2522);
    /// `aten::view_as_complex_copy.out`
    pub const view_as_complex_copy_out: OpId = OpId(2523);
    /// `aten::view_as_real`
    pub const view_as_real: OpId = OpId(3516);
    /// `aten::view_as_real_copy`
    pub const view_as_real_copy: OpId = OpId(2524);
    /// `aten::view_as_real_copy.out`
    pub const view_as_real_copy_out: OpId = OpId(2525);
    /// `aten::view_copy`
    pub const view_copy: OpId = OpId(2468);
    /// `aten::view_copy.dtype`
    pub const view_copy_dtype: OpId = OpId(2469);
    /// `aten::view_copy.dtype_out`
    pub const view_copy_dtype_out: OpId = OpId(2470);
    /// `aten::view_copy.out`
    pub const view_copy_out: OpId = OpId(2471);
    /// `aten::view.dtype`
    pub const view_dtype: OpId = OpId(3514);
    /// `aten::vsplit.array`
    pub const vsplit_array: OpId = OpId(3564);
    /// `aten::vsplit.int`
    pub const vsplit_int: OpId = OpId(3565);
    /// `aten::vstack`
    pub const vstack: OpId = OpId(2472);
    /// `aten::vstack.out`
    pub const vstack_out: OpId = OpId(2473);
    /// `aten::wait`
    pub const wait: OpId = OpId(2050);
    /// `aten::warn`
    pub const warn: OpId = OpId(2051);
    /// `aten::where.Scalar`
    pub const where_Scalar: OpId = OpId(1751);
    /// `aten::where.ScalarOther`
    pub const where_ScalarOther: OpId = OpId(1752);
    /// `aten::where.ScalarSelf`
    pub const where_ScalarSelf: OpId = OpId(1753);
    /// `aten::where.self`
    pub const where_self: OpId = OpId(1754);
    /// `aten::where.self_out`
    pub const where_self_out: OpId = OpId(1755);
    /// `aten::xlogy.OutScalar_Other`
    pub const xlogy_OutScalar_Other: OpId = OpId(1759);
    /// `aten::xlogy.OutScalar_Self`
    pub const xlogy_OutScalar_Self: OpId = OpId(1760);
    /// `aten::xlogy.OutTensor`
    pub const xlogy_OutTensor: OpId = OpId(1761);
    /// `aten::xlogy.Scalar_Other`
    pub const xlogy_Scalar_Other: OpId = OpId(1906);
    /// `aten::xlogy.Scalar_Self`
    pub const xlogy_Scalar_Self: OpId = OpId(1907);
    /// `aten::xlogy.Tensor`
    pub const xlogy_Tensor: OpId = OpId(1756);
    /// `aten::xlogy_.Scalar_Other`
    pub const xlogy__Scalar_Other: OpId = OpId(1757);
    /// `aten::xlogy_.Tensor`
    pub const xlogy__Tensor: OpId = OpId(1758);
    /// `aten::zero`
    pub const zero: OpId = OpId(271);
    /// `aten::zero_`
    pub const zero_: OpId = OpId(272);
    /// `aten::zero.out`
    pub const zero_out: OpId = OpId(273);
    /// `aten::zeros`
    pub const zeros: OpId = OpId(274);
    /// `aten::zeros_like`
    pub const zeros_like: OpId = OpId(276);
    /// `aten::zeros_like.out`
    pub const zeros_like_out: OpId = OpId(277);
    /// `aten::zeros.out`
    pub const zeros_out: OpId = OpId(275);
    /// `aten::zfill`
    pub const zfill: OpId = OpId(3288);
}
/// `mkldnn::…`
#[rustfmt::skip]
pub mod mkldnn {
    use crate::op::OpId;
    /// `mkldnn::_convolution_pointwise`
    pub const _convolution_pointwise: OpId = OpId(140);
    /// `mkldnn::_convolution_pointwise.binary`
    pub const _convolution_pointwise_binary: OpId = OpId(141);
}
/// `prim::…`
#[rustfmt::skip]
pub mod prim {
    use crate::op::OpId;
    /// `prim::BroadcastMKLDNNTensors`
    pub const BroadcastMKLDNNTensors: OpId = OpId(2052);
    /// `prim::BroadcastSizes`
    pub const BroadcastSizes: OpId = OpId(2053);
    /// `prim::ConstantChunk`
    pub const ConstantChunk: OpId = OpId(3517);
    /// `prim::ConstantMKLDNNTensor`
    pub const ConstantMKLDNNTensor: OpId = OpId(2054);
    /// `prim::DifferentiableGraph`
    pub const DifferentiableGraph: OpId = OpId(2055);
    /// `prim::EnumName`
    pub const EnumName: OpId = OpId(2056);
    /// `prim::EnumValue.float`
    pub const EnumValue_float: OpId = OpId(2057);
    /// `prim::EnumValue.int`
    pub const EnumValue_int: OpId = OpId(2058);
    /// `prim::EnumValue.str`
    pub const EnumValue_str: OpId = OpId(2059);
    /// `prim::FusionGroup`
    pub const FusionGroup: OpId = OpId(2060);
    /// `prim::IfThenElse`
    pub const IfThenElse: OpId = OpId(2061);
    /// `prim::MMBatchSide`
    pub const MMBatchSide: OpId = OpId(2062);
    /// `prim::MMTreeReduce`
    pub const MMTreeReduce: OpId = OpId(2063);
    /// `prim::ModuleContainerIndex.dict`
    pub const ModuleContainerIndex_dict: OpId = OpId(2064);
    /// `prim::ModuleContainerIndex.list`
    pub const ModuleContainerIndex_list: OpId = OpId(2065);
    /// `prim::NumToTensor.Scalar`
    pub const NumToTensor_Scalar: OpId = OpId(2975);
    /// `prim::NumToTensor.bool`
    pub const NumToTensor_bool: OpId = OpId(2976);
    /// `prim::Print`
    pub const Print: OpId = OpId(2066);
    /// `prim::RaiseException`
    pub const RaiseException: OpId = OpId(2067);
    /// `prim::ReductionSizes`
    pub const ReductionSizes: OpId = OpId(1085);
    /// `prim::RequiresGradCheck`
    pub const RequiresGradCheck: OpId = OpId(2068);
    /// `prim::StringIndex`
    pub const StringIndex: OpId = OpId(3291);
    /// `prim::TupleIndex`
    pub const TupleIndex: OpId = OpId(2069);
    /// `prim::TupleUnpack`
    pub const TupleUnpack: OpId = OpId(2070);
    /// `prim::TypeCheck`
    pub const TypeCheck: OpId = OpId(2071);
    /// `prim::Uninitialized`
    pub const Uninitialized: OpId = OpId(2072);
    /// `prim::VarConcat`
    pub const VarConcat: OpId = OpId(2076);
    /// `prim::VarStack`
    pub const VarStack: OpId = OpId(2077);
    /// `prim::abs`
    pub const abs: OpId = OpId(1762);
    /// `prim::abs.Scalar`
    pub const abs_Scalar: OpId = OpId(2977);
    /// `prim::abs.complex`
    pub const abs_complex: OpId = OpId(2978);
    /// `prim::abs.float`
    pub const abs_float: OpId = OpId(2979);
    /// `prim::abs.int`
    pub const abs_int: OpId = OpId(2980);
    /// `prim::data`
    pub const data: OpId = OpId(3518);
    /// `prim::device`
    pub const device: OpId = OpId(3318);
    /// `prim::dtype`
    pub const dtype: OpId = OpId(3319);
    /// `prim::grad`
    pub const grad: OpId = OpId(3325);
    /// `prim::index`
    pub const index: OpId = OpId(3351);
    /// `prim::is_cpu`
    pub const is_cpu: OpId = OpId(3352);
    /// `prim::is_cuda`
    pub const is_cuda: OpId = OpId(3320);
    /// `prim::is_ipu`
    pub const is_ipu: OpId = OpId(3353);
    /// `prim::is_maia`
    pub const is_maia: OpId = OpId(3354);
    /// `prim::is_meta`
    pub const is_meta: OpId = OpId(3355);
    /// `prim::is_mkldnn`
    pub const is_mkldnn: OpId = OpId(3356);
    /// `prim::is_mps`
    pub const is_mps: OpId = OpId(3357);
    /// `prim::is_mtia`
    pub const is_mtia: OpId = OpId(3358);
    /// `prim::is_nested`
    pub const is_nested: OpId = OpId(3321);
    /// `prim::is_quantized`
    pub const is_quantized: OpId = OpId(3359);
    /// `prim::is_sparse`
    pub const is_sparse: OpId = OpId(3360);
    /// `prim::is_sparse_csr`
    pub const is_sparse_csr: OpId = OpId(3361);
    /// `prim::is_vulkan`
    pub const is_vulkan: OpId = OpId(3362);
    /// `prim::is_xla`
    pub const is_xla: OpId = OpId(3363);
    /// `prim::is_xpu`
    pub const is_xpu: OpId = OpId(3364);
    /// `prim::itemsize`
    pub const itemsize: OpId = OpId(3322);
    /// `prim::layout`
    pub const layout: OpId = OpId(3323);
    /// `prim::max`
    pub const max: OpId = OpId(2981);
    /// `prim::max.bool_list`
    pub const max_bool_list: OpId = OpId(1063);
    /// `prim::max.float`
    pub const max_float: OpId = OpId(2982);
    /// `prim::max.float_int`
    pub const max_float_int: OpId = OpId(2983);
    /// `prim::max.float_list`
    pub const max_float_list: OpId = OpId(1064);
    /// `prim::max.int`
    pub const max_int: OpId = OpId(2984);
    /// `prim::max.int_float`
    pub const max_int_float: OpId = OpId(2985);
    /// `prim::max.int_list`
    pub const max_int_list: OpId = OpId(1065);
    /// `prim::max.self_bool`
    pub const max_self_bool: OpId = OpId(1066);
    /// `prim::max.self_float`
    pub const max_self_float: OpId = OpId(1067);
    /// `prim::max.self_int`
    pub const max_self_int: OpId = OpId(1068);
    /// `prim::min`
    pub const min: OpId = OpId(2986);
    /// `prim::min.bool_list`
    pub const min_bool_list: OpId = OpId(1069);
    /// `prim::min.float`
    pub const min_float: OpId = OpId(2987);
    /// `prim::min.float_int`
    pub const min_float_int: OpId = OpId(2988);
    /// `prim::min.float_list`
    pub const min_float_list: OpId = OpId(1070);
    /// `prim::min.int`
    pub const min_int: OpId = OpId(2989);
    /// `prim::min.int_float`
    pub const min_int_float: OpId = OpId(2990);
    /// `prim::min.int_list`
    pub const min_int_list: OpId = OpId(1071);
    /// `prim::min.self_bool`
    pub const min_self_bool: OpId = OpId(1072);
    /// `prim::min.self_float`
    pub const min_self_float: OpId = OpId(1073);
    /// `prim::min.self_int`
    pub const min_self_int: OpId = OpId(1074);
    /// `prim::mkldnn_convolution`
    pub const mkldnn_convolution: OpId = OpId(2073);
    /// `prim::nbytes`
    pub const nbytes: OpId = OpId(3365);
    /// `prim::profile`
    pub const profile: OpId = OpId(2074);
    /// `prim::type`
    pub const r#type: OpId = OpId(3327);
    /// `prim::rangelist`
    pub const rangelist: OpId = OpId(1086);
    /// `prim::requires_grad`
    pub const requires_grad: OpId = OpId(3326);
    /// `prim::tolist`
    pub const tolist: OpId = OpId(1075);
    /// `prim::unchecked_cast`
    pub const unchecked_cast: OpId = OpId(2075);
    /// `prim::unchecked_unwrap_optional`
    pub const unchecked_unwrap_optional: OpId = OpId(2078);
}
/// `prims::…`
#[rustfmt::skip]
pub mod prims {
    use crate::op::OpId;
    /// `prims::_make_token`
    pub const _make_token: OpId = OpId(293);
    /// `prims::_sink_tokens`
    pub const _sink_tokens: OpId = OpId(294);
    /// `prims::abs`
    pub const abs: OpId = OpId(1908);
    /// `prims::acos`
    pub const acos: OpId = OpId(1909);
    /// `prims::acosh`
    pub const acosh: OpId = OpId(1910);
    /// `prims::add`
    pub const add: OpId = OpId(1911);
    /// `prims::amax`
    pub const amax: OpId = OpId(2712);
    /// `prims::amin`
    pub const amin: OpId = OpId(2713);
    /// `prims::as_strided`
    pub const as_strided: OpId = OpId(3566);
    /// `prims::as_strided_scatter`
    pub const as_strided_scatter: OpId = OpId(2526);
    /// `prims::asin`
    pub const asin: OpId = OpId(1912);
    /// `prims::asinh`
    pub const asinh: OpId = OpId(1913);
    /// `prims::atan`
    pub const atan: OpId = OpId(1914);
    /// `prims::atan2`
    pub const atan2: OpId = OpId(1915);
    /// `prims::atanh`
    pub const atanh: OpId = OpId(1916);
    /// `prims::bessel_i0`
    pub const bessel_i0: OpId = OpId(3221);
    /// `prims::bessel_i0e`
    pub const bessel_i0e: OpId = OpId(3222);
    /// `prims::bessel_i1`
    pub const bessel_i1: OpId = OpId(3223);
    /// `prims::bessel_i1e`
    pub const bessel_i1e: OpId = OpId(3224);
    /// `prims::bessel_j0`
    pub const bessel_j0: OpId = OpId(3225);
    /// `prims::bessel_j1`
    pub const bessel_j1: OpId = OpId(3226);
    /// `prims::bitwise_and`
    pub const bitwise_and: OpId = OpId(1917);
    /// `prims::bitwise_not`
    pub const bitwise_not: OpId = OpId(1918);
    /// `prims::bitwise_or`
    pub const bitwise_or: OpId = OpId(1919);
    /// `prims::bitwise_xor`
    pub const bitwise_xor: OpId = OpId(1920);
    /// `prims::broadcast_in_dim`
    pub const broadcast_in_dim: OpId = OpId(3567);
    /// `prims::cat`
    pub const cat: OpId = OpId(2527);
    /// `prims::cbrt`
    pub const cbrt: OpId = OpId(3227);
    /// `prims::ceil`
    pub const ceil: OpId = OpId(1921);
    /// `prims::clone`
    pub const clone: OpId = OpId(200);
    /// `prims::collapse`
    pub const collapse: OpId = OpId(3519);
    /// `prims::collapse_view`
    pub const collapse_view: OpId = OpId(3568);
    /// `prims::conj`
    pub const conj: OpId = OpId(3569);
    /// `prims::conj_physical`
    pub const conj_physical: OpId = OpId(201);
    /// `prims::convert_element_type`
    pub const convert_element_type: OpId = OpId(173);
    /// `prims::copy_strided`
    pub const copy_strided: OpId = OpId(2528);
    /// `prims::copy_to`
    pub const copy_to: OpId = OpId(202);
    /// `prims::cos`
    pub const cos: OpId = OpId(1922);
    /// `prims::cosh`
    pub const cosh: OpId = OpId(1923);
    /// `prims::device_put`
    pub const device_put: OpId = OpId(203);
    /// `prims::digamma`
    pub const digamma: OpId = OpId(1924);
    /// `prims::div`
    pub const div: OpId = OpId(1981);
    /// `prims::empty`
    pub const empty: OpId = OpId(295);
    /// `prims::empty_permuted`
    pub const empty_permuted: OpId = OpId(296);
    /// `prims::empty_strided`
    pub const empty_strided: OpId = OpId(297);
    /// `prims::eq`
    pub const eq: OpId = OpId(1925);
    /// `prims::erf`
    pub const erf: OpId = OpId(1926);
    /// `prims::erf_inv`
    pub const erf_inv: OpId = OpId(1927);
    /// `prims::erfc`
    pub const erfc: OpId = OpId(1928);
    /// `prims::erfcx`
    pub const erfcx: OpId = OpId(3228);
    /// `prims::exp`
    pub const exp: OpId = OpId(1929);
    /// `prims::exp2`
    pub const exp2: OpId = OpId(1930);
    /// `prims::expm1`
    pub const expm1: OpId = OpId(1931);
    /// `prims::fft_c2c`
    pub const fft_c2c: OpId = OpId(558);
    /// `prims::fft_c2r`
    pub const fft_c2r: OpId = OpId(559);
    /// `prims::fft_r2c`
    pub const fft_r2c: OpId = OpId(560);
    /// `prims::fill`
    pub const fill: OpId = OpId(298);
    /// `prims::floor`
    pub const floor: OpId = OpId(1932);
    /// `prims::fmax`
    pub const fmax: OpId = OpId(1933);
    /// `prims::fmin`
    pub const fmin: OpId = OpId(1934);
    /// `prims::fmod`
    pub const fmod: OpId = OpId(1935);
    /// `prims::frexp`
    pub const frexp: OpId = OpId(1982);
    /// `prims::full`
    pub const full: OpId = OpId(299);
    /// `prims::full_like`
    pub const full_like: OpId = OpId(300);
    /// `prims::gcd`
    pub const gcd: OpId = OpId(1936);
    /// `prims::ge`
    pub const ge: OpId = OpId(1937);
    /// `prims::gt`
    pub const gt: OpId = OpId(1938);
    /// `prims::hypot`
    pub const hypot: OpId = OpId(1939);
    /// `prims::igamma`
    pub const igamma: OpId = OpId(3229);
    /// `prims::igammac`
    pub const igammac: OpId = OpId(3230);
    /// `prims::imag`
    pub const imag: OpId = OpId(3570);
    /// `prims::iota`
    pub const iota: OpId = OpId(278);
    /// `prims::isfinite`
    pub const isfinite: OpId = OpId(1940);
    /// `prims::item`
    pub const item: OpId = OpId(3045);
    /// `prims::le`
    pub const le: OpId = OpId(1941);
    /// `prims::lgamma`
    pub const lgamma: OpId = OpId(1942);
    /// `prims::log`
    pub const log: OpId = OpId(1943);
    /// `prims::log10`
    pub const log10: OpId = OpId(1944);
    /// `prims::log1p`
    pub const log1p: OpId = OpId(1945);
    /// `prims::log2`
    pub const log2: OpId = OpId(1946);
    /// `prims::lt`
    pub const lt: OpId = OpId(1947);
    /// `prims::maximum`
    pub const maximum: OpId = OpId(1948);
    /// `prims::maximum_value`
    pub const maximum_value: OpId = OpId(3046);
    /// `prims::minimum`
    pub const minimum: OpId = OpId(1949);
    /// `prims::minimum_value`
    pub const minimum_value: OpId = OpId(3047);
    /// `prims::mul`
    pub const mul: OpId = OpId(1950);
    /// `prims::ndtri`
    pub const ndtri: OpId = OpId(3231);
    /// `prims::ne`
    pub const ne: OpId = OpId(1951);
    /// `prims::neg`
    pub const neg: OpId = OpId(1952);
    /// `prims::nextafter`
    pub const nextafter: OpId = OpId(3232);
    /// `prims::normal`
    pub const normal: OpId = OpId(2389);
    /// `prims::pow`
    pub const pow: OpId = OpId(1953);
    /// `prims::prod`
    pub const prod: OpId = OpId(2633);
    /// `prims::where`
    pub const r#where: OpId = OpId(1968);
    /// `prims::real`
    pub const real: OpId = OpId(3571);
    /// `prims::reciprocal`
    pub const reciprocal: OpId = OpId(1954);
    /// `prims::remainder`
    pub const remainder: OpId = OpId(1955);
    /// `prims::reshape`
    pub const reshape: OpId = OpId(2529);
    /// `prims::resize`
    pub const resize: OpId = OpId(204);
    /// `prims::rev`
    pub const rev: OpId = OpId(2530);
    /// `prims::round`
    pub const round: OpId = OpId(1956);
    /// `prims::rsqrt`
    pub const rsqrt: OpId = OpId(1957);
    /// `prims::shift_left`
    pub const shift_left: OpId = OpId(1958);
    /// `prims::shift_right_arithmetic`
    pub const shift_right_arithmetic: OpId = OpId(1959);
    /// `prims::sign`
    pub const sign: OpId = OpId(1960);
    /// `prims::signbit`
    pub const signbit: OpId = OpId(1961);
    /// `prims::sin`
    pub const sin: OpId = OpId(1962);
    /// `prims::sinh`
    pub const sinh: OpId = OpId(1963);
    /// `prims::spherical_bessel_j0`
    pub const spherical_bessel_j0: OpId = OpId(3233);
    /// `prims::split_dim`
    pub const split_dim: OpId = OpId(3520);
    /// `prims::sqrt`
    pub const sqrt: OpId = OpId(1763);
    /// `prims::squeeze`
    pub const squeeze: OpId = OpId(3521);
    /// `prims::sub`
    pub const sub: OpId = OpId(1964);
    /// `prims::sum`
    pub const sum: OpId = OpId(2634);
    /// `prims::svd`
    pub const svd: OpId = OpId(992);
    /// `prims::tan`
    pub const tan: OpId = OpId(1965);
    /// `prims::tanh`
    pub const tanh: OpId = OpId(1966);
    /// `prims::transpose`
    pub const transpose: OpId = OpId(3572);
    /// `prims::trunc`
    pub const trunc: OpId = OpId(1967);
    /// `prims::uniform`
    pub const uniform: OpId = OpId(2390);
    /// `prims::var`
    pub const var: OpId = OpId(2635);
    /// `prims::view_of`
    pub const view_of: OpId = OpId(3522);
    /// `prims::view_of_dtype`
    pub const view_of_dtype: OpId = OpId(3573);
    /// `prims::zeta`
    pub const zeta: OpId = OpId(3234);
}
/// `quantized::…`
#[rustfmt::skip]
pub mod quantized {
    use crate::op::OpId;
    /// `quantized::add`
    pub const add: OpId = OpId(2117);
    /// `quantized::add.Scalar`
    pub const add_Scalar: OpId = OpId(2129);
    /// `quantized::add.Scalar2`
    pub const add_Scalar2: OpId = OpId(2130);
    /// `quantized::add.out`
    pub const add__out: OpId = OpId(2133);
    /// `quantized::add_out`
    pub const add_out: OpId = OpId(2134);
    /// `quantized::add_relu`
    pub const add_relu: OpId = OpId(2118);
    /// `quantized::add_relu.Scalar`
    pub const add_relu_Scalar: OpId = OpId(2135);
    /// `quantized::add_relu.Scalar2`
    pub const add_relu_Scalar2: OpId = OpId(2136);
    /// `quantized::add_relu.out`
    pub const add_relu__out: OpId = OpId(2139);
    /// `quantized::add_relu_out`
    pub const add_relu_out: OpId = OpId(2140);
    /// `quantized::add_scalar`
    pub const add_scalar: OpId = OpId(2131);
    /// `quantized::add_scalar.Tensor`
    pub const add_scalar_Tensor: OpId = OpId(2132);
    /// `quantized::add_scalar_relu`
    pub const add_scalar_relu: OpId = OpId(2137);
    /// `quantized::add_scalar_relu.Tensor`
    pub const add_scalar_relu_Tensor: OpId = OpId(2138);
    /// `quantized::batch_norm`
    pub const batch_norm: OpId = OpId(2153);
    /// `quantized::batch_norm1d`
    pub const batch_norm1d: OpId = OpId(2155);
    /// `quantized::batch_norm1d_relu`
    pub const batch_norm1d_relu: OpId = OpId(2156);
    /// `quantized::batch_norm2d`
    pub const batch_norm2d: OpId = OpId(2157);
    /// `quantized::batch_norm2d_relu`
    pub const batch_norm2d_relu: OpId = OpId(2158);
    /// `quantized::batch_norm3d`
    pub const batch_norm3d: OpId = OpId(2159);
    /// `quantized::batch_norm3d_relu`
    pub const batch_norm3d_relu: OpId = OpId(2160);
    /// `quantized::batch_norm_relu`
    pub const batch_norm_relu: OpId = OpId(2154);
    /// `quantized::cat`
    pub const cat: OpId = OpId(2121);
    /// `quantized::cat_relu`
    pub const cat_relu: OpId = OpId(2122);
    /// `quantized::celu`
    pub const celu: OpId = OpId(2110);
    /// `quantized::clamp`
    pub const clamp: OpId = OpId(2125);
    /// `quantized::conv1d`
    pub const conv1d: OpId = OpId(2221);
    /// `quantized::conv1d_dynamic`
    pub const conv1d_dynamic: OpId = OpId(2183);
    /// `quantized::conv1d_prepack`
    pub const conv1d_prepack: OpId = OpId(2181);
    /// `quantized::conv1d_relu`
    pub const conv1d_relu: OpId = OpId(2222);
    /// `quantized::conv1d_unpack`
    pub const conv1d_unpack: OpId = OpId(2179);
    /// `quantized::conv2d`
    pub const conv2d: OpId = OpId(2225);
    /// `quantized::conv2d_add`
    pub const conv2d_add: OpId = OpId(2231);
    /// `quantized::conv2d_add_relu`
    pub const conv2d_add_relu: OpId = OpId(2232);
    /// `quantized::conv2d_dilation`
    pub const conv2d_dilation: OpId = OpId(2194);
    /// `quantized::conv2d_dynamic`
    pub const conv2d_dynamic: OpId = OpId(2188);
    /// `quantized::conv2d_groups`
    pub const conv2d_groups: OpId = OpId(2195);
    /// `quantized::conv2d.new`
    pub const conv2d_new: OpId = OpId(2223);
    /// `quantized::conv2d_output_padding`
    pub const conv2d_output_padding: OpId = OpId(2193);
    /// `quantized::conv2d_padding`
    pub const conv2d_padding: OpId = OpId(2192);
    /// `quantized::conv2d_prepack`
    pub const conv2d_prepack: OpId = OpId(2186);
    /// `quantized::conv2d_relu`
    pub const conv2d_relu: OpId = OpId(2226);
    /// `quantized::conv2d_relu.new`
    pub const conv2d_relu_new: OpId = OpId(2224);
    /// `quantized::conv2d_stride`
    pub const conv2d_stride: OpId = OpId(2191);
    /// `quantized::conv2d_transpose`
    pub const conv2d_transpose: OpId = OpId(2196);
    /// `quantized::conv2d_unpack`
    pub const conv2d_unpack: OpId = OpId(2174);
    /// `quantized::conv3d`
    pub const conv3d: OpId = OpId(2229);
    /// `quantized::conv3d_dilation`
    pub const conv3d_dilation: OpId = OpId(2211);
    /// `quantized::conv3d_dynamic`
    pub const conv3d_dynamic: OpId = OpId(2205);
    /// `quantized::conv3d_groups`
    pub const conv3d_groups: OpId = OpId(2212);
    /// `quantized::conv3d.new`
    pub const conv3d_new: OpId = OpId(2227);
    /// `quantized::conv3d_output_padding`
    pub const conv3d_output_padding: OpId = OpId(2210);
    /// `quantized::conv3d_padding`
    pub const conv3d_padding: OpId = OpId(2209);
    /// `quantized::conv3d_prepack`
    pub const conv3d_prepack: OpId = OpId(2203);
    /// `quantized::conv3d_relu`
    pub const conv3d_relu: OpId = OpId(2230);
    /// `quantized::conv3d_relu.new`
    pub const conv3d_relu_new: OpId = OpId(2228);
    /// `quantized::conv3d_stride`
    pub const conv3d_stride: OpId = OpId(2208);
    /// `quantized::conv3d_transpose`
    pub const conv3d_transpose: OpId = OpId(2213);
    /// `quantized::conv3d_unpack`
    pub const conv3d_unpack: OpId = OpId(2175);
    /// `quantized::conv_prepack`
    pub const conv_prepack: OpId = OpId(2220);
    /// `quantized::conv_transpose1d`
    pub const conv_transpose1d: OpId = OpId(2185);
    /// `quantized::conv_transpose1d_dynamic`
    pub const conv_transpose1d_dynamic: OpId = OpId(2184);
    /// `quantized::conv_transpose1d_prepack`
    pub const conv_transpose1d_prepack: OpId = OpId(2182);
    /// `quantized::conv_transpose1d_unpack`
    pub const conv_transpose1d_unpack: OpId = OpId(2180);
    /// `quantized::conv_transpose2d`
    pub const conv_transpose2d: OpId = OpId(2190);
    /// `quantized::conv_transpose2d_dilation`
    pub const conv_transpose2d_dilation: OpId = OpId(2200);
    /// `quantized::conv_transpose2d_dynamic`
    pub const conv_transpose2d_dynamic: OpId = OpId(2189);
    /// `quantized::conv_transpose2d_groups`
    pub const conv_transpose2d_groups: OpId = OpId(2201);
    /// `quantized::conv_transpose2d_output_padding`
    pub const conv_transpose2d_output_padding: OpId = OpId(2199);
    /// `quantized::conv_transpose2d_padding`
    pub const conv_transpose2d_padding: OpId = OpId(2198);
    /// `quantized::conv_transpose2d_prepack`
    pub const conv_transpose2d_prepack: OpId = OpId(2187);
    /// `quantized::conv_transpose2d_stride`
    pub const conv_transpose2d_stride: OpId = OpId(2197);
    /// `quantized::conv_transpose2d_transpose`
    pub const conv_transpose2d_transpose: OpId = OpId(2202);
    /// `quantized::conv_transpose2d_unpack`
    pub const conv_transpose2d_unpack: OpId = OpId(2177);
    /// `quantized::conv_transpose3d`
    pub const conv_transpose3d: OpId = OpId(2207);
    /// `quantized::conv_transpose3d_dilation`
    pub const conv_transpose3d_dilation: OpId = OpId(2217);
    /// `quantized::conv_transpose3d_dynamic`
    pub const conv_transpose3d_dynamic: OpId = OpId(2206);
    /// `quantized::conv_transpose3d_groups`
    pub const conv_transpose3d_groups: OpId = OpId(2218);
    /// `quantized::conv_transpose3d_output_padding`
    pub const conv_transpose3d_output_padding: OpId = OpId(2216);
    /// `quantized::conv_transpose3d_padding`
    pub const conv_transpose3d_padding: OpId = OpId(2215);
    /// `quantized::conv_transpose3d_prepack`
    pub const conv_transpose3d_prepack: OpId = OpId(2204);
    /// `quantized::conv_transpose3d_stride`
    pub const conv_transpose3d_stride: OpId = OpId(2214);
    /// `quantized::conv_transpose3d_transpose`
    pub const conv_transpose3d_transpose: OpId = OpId(2219);
    /// `quantized::conv_transpose3d_unpack`
    pub const conv_transpose3d_unpack: OpId = OpId(2178);
    /// `quantized::conv_unpack`
    pub const conv_unpack: OpId = OpId(2176);
    /// `quantized::dropout`
    pub const dropout: OpId = OpId(2123);
    /// `quantized::elu`
    pub const elu: OpId = OpId(2109);
    /// `quantized::embedding_4bit`
    pub const embedding_4bit: OpId = OpId(2266);
    /// `quantized::embedding_bag_4bit`
    pub const embedding_bag_4bit: OpId = OpId(2265);
    /// `quantized::embedding_bag_byte`
    pub const embedding_bag_byte: OpId = OpId(2236);
    /// `quantized::embedding_bag_prepack`
    pub const embedding_bag_prepack: OpId = OpId(2233);
    /// `quantized::embedding_bag_unpack`
    pub const embedding_bag_unpack: OpId = OpId(2234);
    /// `quantized::embedding_byte`
    pub const embedding_byte: OpId = OpId(2235);
    /// `quantized::group_norm`
    pub const group_norm: OpId = OpId(2114);
    /// `quantized::hardswish`
    pub const hardswish: OpId = OpId(2106);
    /// `quantized::instance_norm`
    pub const instance_norm: OpId = OpId(2115);
    /// `quantized::layer_norm`
    pub const layer_norm: OpId = OpId(2113);
    /// `quantized::leaky_relu`
    pub const leaky_relu: OpId = OpId(2108);
    /// `quantized::linear`
    pub const linear: OpId = OpId(2102);
    /// `quantized::linear_dynamic`
    pub const linear_dynamic: OpId = OpId(2164);
    /// `quantized::linear_dynamic_fp16`
    pub const linear_dynamic_fp16: OpId = OpId(2166);
    /// `quantized::linear_leaky_relu`
    pub const linear_leaky_relu: OpId = OpId(2163);
    /// `quantized::linear_prepack`
    pub const linear_prepack: OpId = OpId(2170);
    /// `quantized::linear_prepack_fp16`
    pub const linear_prepack_fp16: OpId = OpId(2171);
    /// `quantized::linear_relu`
    pub const linear_relu: OpId = OpId(2161);
    /// `quantized::linear_relu_dynamic`
    pub const linear_relu_dynamic: OpId = OpId(2165);
    /// `quantized::linear_relu_dynamic_fp16`
    pub const linear_relu_dynamic_fp16: OpId = OpId(2167);
    /// `quantized::linear_tanh`
    pub const linear_tanh: OpId = OpId(2162);
    /// `quantized::linear_unpack`
    pub const linear_unpack: OpId = OpId(2172);
    /// `quantized::linear_unpack_fp16`
    pub const linear_unpack_fp16: OpId = OpId(2173);
    /// `quantized::linear_with_input_q_dq_qweight_dq_output_fp32`
    pub const linear_with_input_q_dq_qweight_dq_output_fp32: OpId = OpId(2168);
    /// `quantized::linear_with_input_q_dq_qweight_dq_relu_output_fp32`
    pub const linear_with_input_q_dq_qweight_dq_relu_output_fp32: OpId = OpId(2169);
    /// `quantized::make_quantized_cell_params_dynamic`
    pub const make_quantized_cell_params_dynamic: OpId = OpId(2237);
    /// `quantized::make_quantized_cell_params_fp16`
    pub const make_quantized_cell_params_fp16: OpId = OpId(2238);
    /// `quantized::matmul`
    pub const matmul: OpId = OpId(2116);
    /// `quantized::max_pool1d`
    pub const max_pool1d: OpId = OpId(2127);
    /// `quantized::max_pool2d`
    pub const max_pool2d: OpId = OpId(2128);
    /// `quantized::mul`
    pub const mul: OpId = OpId(2119);
    /// `quantized::mul.Scalar`
    pub const mul_Scalar: OpId = OpId(2141);
    /// `quantized::mul.Scalar2`
    pub const mul_Scalar2: OpId = OpId(2142);
    /// `quantized::mul.out`
    pub const mul__out: OpId = OpId(2145);
    /// `quantized::mul_out`
    pub const mul_out: OpId = OpId(2146);
    /// `quantized::mul_relu`
    pub const mul_relu: OpId = OpId(2120);
    /// `quantized::mul_relu.Scalar`
    pub const mul_relu_Scalar: OpId = OpId(2147);
    /// `quantized::mul_relu.Scalar2`
    pub const mul_relu_Scalar2: OpId = OpId(2148);
    /// `quantized::mul_relu.out`
    pub const mul_relu__out: OpId = OpId(2151);
    /// `quantized::mul_relu_out`
    pub const mul_relu_out: OpId = OpId(2152);
    /// `quantized::mul_scalar`
    pub const mul_scalar: OpId = OpId(2143);
    /// `quantized::mul_scalar.Tensor`
    pub const mul_scalar_Tensor: OpId = OpId(2144);
    /// `quantized::mul_scalar_relu`
    pub const mul_scalar_relu: OpId = OpId(2149);
    /// `quantized::mul_scalar_relu.Tensor`
    pub const mul_scalar_relu_Tensor: OpId = OpId(2150);
    /// `quantized::prelu`
    pub const prelu: OpId = OpId(2112);
    /// `quantized::quantized_gru_cell_dynamic`
    pub const quantized_gru_cell_dynamic: OpId = OpId(2244);
    /// `quantized::quantized_lstm_cell_dynamic`
    pub const quantized_lstm_cell_dynamic: OpId = OpId(2243);
    /// `quantized::quantized_rnn_relu_cell_dynamic`
    pub const quantized_rnn_relu_cell_dynamic: OpId = OpId(2246);
    /// `quantized::quantized_rnn_tanh_cell_dynamic`
    pub const quantized_rnn_tanh_cell_dynamic: OpId = OpId(2245);
    /// `quantized::relu6`
    pub const relu6: OpId = OpId(2124);
    /// `quantized::sigmoid`
    pub const sigmoid: OpId = OpId(2107);
    /// `quantized::softmax`
    pub const softmax: OpId = OpId(2111);
    /// `quantized::threshold`
    pub const threshold: OpId = OpId(2126);
}
/// `sconce::…`
#[rustfmt::skip]
pub mod sconce {
    use crate::op::OpId;
    /// `sconce::Delete.Dict_Tensor`
    pub const Delete_Dict_Tensor: OpId = OpId(416);
    /// `sconce::Delete.Dict_bool`
    pub const Delete_Dict_bool: OpId = OpId(417);
    /// `sconce::Delete.Dict_complex`
    pub const Delete_Dict_complex: OpId = OpId(418);
    /// `sconce::Delete.Dict_float`
    pub const Delete_Dict_float: OpId = OpId(419);
    /// `sconce::Delete.Dict_int`
    pub const Delete_Dict_int: OpId = OpId(420);
    /// `sconce::Delete.Dict_str`
    pub const Delete_Dict_str: OpId = OpId(421);
    /// `sconce::Delete.t`
    pub const Delete_t: OpId = OpId(1087);
    /// `sconce::_set_item.Tensor`
    pub const _set_item_Tensor: OpId = OpId(422);
    /// `sconce::_set_item.bool`
    pub const _set_item_bool: OpId = OpId(423);
    /// `sconce::_set_item.complex`
    pub const _set_item_complex: OpId = OpId(424);
    /// `sconce::_set_item.float`
    pub const _set_item_float: OpId = OpId(425);
    /// `sconce::_set_item.int`
    pub const _set_item_int: OpId = OpId(426);
    /// `sconce::_set_item.str`
    pub const _set_item_str: OpId = OpId(427);
    /// `sconce::_set_item.t`
    pub const _set_item_t: OpId = OpId(1088);
    /// `sconce::add.t`
    pub const add_t: OpId = OpId(1089);
    /// `sconce::append.t`
    pub const append_t: OpId = OpId(1090);
    /// `sconce::clear.Tensor`
    pub const clear_Tensor: OpId = OpId(428);
    /// `sconce::clear.bool`
    pub const clear_bool: OpId = OpId(429);
    /// `sconce::clear.complex`
    pub const clear_complex: OpId = OpId(430);
    /// `sconce::clear.float`
    pub const clear_float: OpId = OpId(431);
    /// `sconce::clear.int`
    pub const clear_int: OpId = OpId(432);
    /// `sconce::clear.str`
    pub const clear_str: OpId = OpId(433);
    /// `sconce::clear.t`
    pub const clear_t: OpId = OpId(1091);
    /// `sconce::extend.t`
    pub const extend_t: OpId = OpId(1092);
    /// `sconce::insert.t`
    pub const insert_t: OpId = OpId(1093);
    /// `sconce::mul.t`
    pub const mul_t: OpId = OpId(1094);
    /// `sconce::pop.Dict_Tensor`
    pub const pop_Dict_Tensor: OpId = OpId(434);
    /// `sconce::pop.Dict_bool`
    pub const pop_Dict_bool: OpId = OpId(435);
    /// `sconce::pop.Dict_complex`
    pub const pop_Dict_complex: OpId = OpId(436);
    /// `sconce::pop.Dict_default_Tensor`
    pub const pop_Dict_default_Tensor: OpId = OpId(437);
    /// `sconce::pop.Dict_default_bool`
    pub const pop_Dict_default_bool: OpId = OpId(438);
    /// `sconce::pop.Dict_default_complex`
    pub const pop_Dict_default_complex: OpId = OpId(439);
    /// `sconce::pop.Dict_default_float`
    pub const pop_Dict_default_float: OpId = OpId(440);
    /// `sconce::pop.Dict_default_int`
    pub const pop_Dict_default_int: OpId = OpId(441);
    /// `sconce::pop.Dict_default_str`
    pub const pop_Dict_default_str: OpId = OpId(442);
    /// `sconce::pop.Dict_float`
    pub const pop_Dict_float: OpId = OpId(443);
    /// `sconce::pop.Dict_int`
    pub const pop_Dict_int: OpId = OpId(444);
    /// `sconce::pop.Dict_str`
    pub const pop_Dict_str: OpId = OpId(445);
    /// `sconce::pop.t`
    pub const pop_t: OpId = OpId(1095);
    /// `sconce::popitem.bool`
    pub const popitem_bool: OpId = OpId(458);
    /// `sconce::popitem.complex`
    pub const popitem_complex: OpId = OpId(459);
    /// `sconce::popitem.float`
    pub const popitem_float: OpId = OpId(460);
    /// `sconce::popitem.int`
    pub const popitem_int: OpId = OpId(461);
    /// `sconce::popitem.str`
    pub const popitem_str: OpId = OpId(462);
    /// `sconce::remove.Tensor`
    pub const remove_Tensor: OpId = OpId(1096);
    /// `sconce::remove.bool`
    pub const remove_bool: OpId = OpId(1097);
    /// `sconce::remove.float`
    pub const remove_float: OpId = OpId(1098);
    /// `sconce::remove.int`
    pub const remove_int: OpId = OpId(1099);
    /// `sconce::remove.str`
    pub const remove_str: OpId = OpId(1100);
    /// `sconce::reverse.t`
    pub const reverse_t: OpId = OpId(1101);
    /// `sconce::setdefault.Tensor`
    pub const setdefault_Tensor: OpId = OpId(446);
    /// `sconce::setdefault.bool`
    pub const setdefault_bool: OpId = OpId(447);
    /// `sconce::setdefault.complex`
    pub const setdefault_complex: OpId = OpId(448);
    /// `sconce::setdefault.float`
    pub const setdefault_float: OpId = OpId(449);
    /// `sconce::setdefault.int`
    pub const setdefault_int: OpId = OpId(450);
    /// `sconce::setdefault.str`
    pub const setdefault_str: OpId = OpId(451);
    /// `sconce::sort.Tensor`
    pub const sort_Tensor: OpId = OpId(1102);
    /// `sconce::sort.any`
    pub const sort_any: OpId = OpId(1103);
    /// `sconce::sort.bool`
    pub const sort_bool: OpId = OpId(1104);
    /// `sconce::sort.float`
    pub const sort_float: OpId = OpId(1105);
    /// `sconce::sort.int`
    pub const sort_int: OpId = OpId(1106);
    /// `sconce::sort.str`
    pub const sort_str: OpId = OpId(1107);
    /// `sconce::update.Tensor`
    pub const update_Tensor: OpId = OpId(452);
    /// `sconce::update.bool`
    pub const update_bool: OpId = OpId(453);
    /// `sconce::update.complex`
    pub const update_complex: OpId = OpId(454);
    /// `sconce::update.float`
    pub const update_float: OpId = OpId(455);
    /// `sconce::update.int`
    pub const update_int: OpId = OpId(456);
    /// `sconce::update.str`
    pub const update_str: OpId = OpId(457);
}
/// `torchvision::…`
#[rustfmt::skip]
pub mod torchvision {
    use crate::op::OpId;
    /// `torchvision::box_iou_rotated`
    pub const box_iou_rotated: OpId = OpId(3574);
    /// `torchvision::deform_conv2d`
    pub const deform_conv2d: OpId = OpId(3575);
    /// `torchvision::nms`
    pub const nms: OpId = OpId(3576);
    /// `torchvision::ps_roi_align`
    pub const ps_roi_align: OpId = OpId(3577);
    /// `torchvision::ps_roi_pool`
    pub const ps_roi_pool: OpId = OpId(3578);
    /// `torchvision::roi_align`
    pub const roi_align: OpId = OpId(3579);
    /// `torchvision::roi_pool`
    pub const roi_pool: OpId = OpId(3580);
}
