"""Classes of transformers as small models: which class, what of its configuration is not the usual small one, and what it is called with."""
import torch

# What a small model has, under every name that a configuration uses for it; a configuration takes the names that it knows.
SMALL = dict(
    vocab_size=60, hidden_size=32, d_model=32, n_embd=32, dim=32, embedding_size=32, embed_dim=32, emb_dim=32, word_embed_proj_dim=32,
    num_hidden_layers=2, num_layers=2, n_layer=2, n_layers=2, encoder_layers=2, decoder_layers=2, num_decoder_layers=2,
    num_attention_heads=4, num_heads=4, n_head=4, n_heads=4, encoder_attention_heads=4, decoder_attention_heads=4, num_key_value_heads=2,
    intermediate_size=37, d_ff=37, d_kv=8, hidden_dim=37, ffn_dim=37, encoder_ffn_dim=37, decoder_ffn_dim=37, n_inner=37, head_dim=8,
    max_position_embeddings=64, n_positions=64, max_source_positions=30, max_target_positions=20, image_size=32, patch_size=8, pad_token_id=0,
    bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, decoder_hidden_size=32, decoder_num_attention_heads=4, decoder_num_hidden_layers=2, decoder_intermediate_size=37,
)
SPEECH = dict(conv_dim=(16, 16, 16), conv_stride=(4, 2, 2), conv_kernel=(8, 3, 3), num_feat_extract_layers=3, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2)
TEXT = dict(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64)
VISION = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32, patch_size=8)
STAGES = dict(num_stages=4, patch_size=4, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1])
MOE = dict(num_experts=4, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, intermediate_size=32)


def ids(n=9, low=3):
    return (torch.arange(2 * n).reshape(2, n) * 7 % 53) + low


def mask(n=9):
    m = torch.ones(2, n, dtype=torch.int64)
    m[1, n - 3 :] = 0
    return m


def pixels(channels=3, size=32, count=2):
    grid = torch.arange(count * channels * size * size).reshape(count, channels, size, size)
    return torch.sin(grid * 0.37) * 0.5


def wave(n=1600):
    return torch.sin(torch.arange(2 * n).reshape(2, n) * 0.11) * 0.5


# What models are called with, by the name of their kind.
INPUTS = {
    "text": lambda: dict(input_ids=ids(), attention_mask=mask()),
    "ids": lambda: dict(input_ids=ids()),
    "decoder": lambda: dict(input_ids=ids(), attention_mask=mask(), use_cache=False),
    "state": lambda: dict(input_ids=ids(), use_cache=False),
    "seq2seq": lambda: dict(input_ids=ids(), attention_mask=mask(), decoder_input_ids=ids(5), use_cache=False),
    "pixels": lambda: dict(pixel_values=pixels()),
    "pixels64": lambda: dict(pixel_values=pixels(size=64, count=1)),
    "wave": lambda: dict(input_values=wave()),
    "mel": lambda: dict(input_features=wave(480).reshape(1, 16, 60), decoder_input_ids=ids(4)[:1], use_cache=False),
    "both": lambda: dict(input_ids=ids(), pixel_values=pixels(), attention_mask=mask()),
    "captioned": lambda: dict(pixel_values=pixels(), input_ids=ids()),
    "codes": lambda: dict(input_values=wave(640)[:, None]),
    "spectrum": lambda: dict(input_values=wave(1024).reshape(2, 64, 16)),
    "frames": lambda: dict(pixel_values=pixels(size=32, count=4)[None]),
}

# Class: what it is called with, and its configuration beyond SMALL.
TRANSFORMERS = {
    # Encoders of text
    "BertForMaskedLM": ("text", {}), "BertForQuestionAnswering": ("text", {}), "RobertaForSequenceClassification": ("text", dict(max_position_embeddings=66)),
    "XLMRobertaForTokenClassification": ("text", {}), "CamembertModel": ("text", {}), "AlbertForMaskedLM": ("text", {}), "DistilBertForSequenceClassification": ("text", {}),
    "ElectraForPreTraining": ("text", {}), "DebertaModel": ("text", dict(relative_attention=True, pos_att_type=["c2p", "p2c"])),
    "DebertaV2ForSequenceClassification": ("text", dict(relative_attention=True, position_buckets=8, pos_att_type=["c2p", "p2c"])), "MPNetModel": ("text", {}),
    "FunnelModel": ("text", dict(block_sizes=[1, 1], d_head=8, d_inner=37)), "LayoutLMModel": ("text", {}), "MobileBertModel": ("text", dict(true_hidden_size=16, intra_bottleneck_size=16)),
    "SqueezeBertModel": ("text", dict(q_groups=1, k_groups=1, v_groups=1, post_attention_groups=1, intermediate_groups=1, output_groups=1)), "ConvBertModel": ("text", {}), "FNetModel": ("ids", {}),
    "NystromformerModel": ("text", dict(num_landmarks=9, segment_means_seq_len=9)), "RoFormerModel": ("text", {}), "RemBertModel": ("text", dict(input_embedding_size=16, output_embedding_size=16)),
    "XLNetModel": ("text", dict(d_inner=37)), "XLMModel": ("text", {}), "LongformerModel": ("text", dict(attention_window=4, max_position_embeddings=70)), "BigBirdModel": ("text", dict(attention_type="original_full")),
    "ModernBertModel": ("text", {}), "EsmModel": ("text", dict(mask_token_id=4)), "IBertModel": ("text", {}), "CanineModel": ("text", dict(num_hash_buckets=60, local_transformer_stride=8)),
    # Decoders
    "GPT2LMHeadModel": ("decoder", {}), "GPTNeoForCausalLM": ("decoder", dict(attention_types=[[["global", "local"], 1]], window_size=4)), "GPTNeoXForCausalLM": ("decoder", {}),
    "GPTJForCausalLM": ("decoder", dict(rotary_dim=4)), "OPTForCausalLM": ("decoder", {}), "BloomForCausalLM": ("decoder", {}), "LlamaForCausalLM": ("decoder", {}), "MistralForCausalLM": ("decoder", dict(sliding_window=4)),
    "MixtralForCausalLM": ("decoder", MOE), "Qwen2ForCausalLM": ("decoder", {}), "Qwen3ForCausalLM": ("decoder", {}), "Qwen2MoeForCausalLM": ("decoder", dict(shared_expert_intermediate_size=16, **MOE)),
    "GemmaForCausalLM": ("decoder", {}), "Gemma2ForCausalLM": ("decoder", dict(query_pre_attn_scalar=8)), "Gemma3ForCausalLM": ("decoder", dict(query_pre_attn_scalar=8)), "PhiForCausalLM": ("decoder", {}),
    "Phi3ForCausalLM": ("decoder", {}), "FalconForCausalLM": ("decoder", {}), "StableLmForCausalLM": ("decoder", {}), "CodeGenForCausalLM": ("decoder", dict(rotary_dim=4)), "CohereForCausalLM": ("decoder", {}),
    "OlmoForCausalLM": ("decoder", {}), "GraniteForCausalLM": ("decoder", {}), "SmolLM3ForCausalLM": ("decoder", {}), "MptForCausalLM": ("decoder", {}), "Starcoder2ForCausalLM": ("decoder", {}),
    "MambaForCausalLM": ("state", dict(state_size=4)), "Mamba2ForCausalLM": ("state", dict(state_size=4, num_heads=8, head_dim=8, n_groups=2, chunk_size=4)), "RwkvForCausalLM": ("state", dict(attention_hidden_size=32)),
    "OpenAIGPTLMHeadModel": ("text", {}), "CTRLLMHeadModel": ("decoder", dict(dff=37)), "BioGptForCausalLM": ("decoder", {}), "XGLMForCausalLM": ("decoder", dict(attention_heads=4)),
    # From sequence to sequence
    "T5ForConditionalGeneration": ("seq2seq", {}), "MT5Model": ("seq2seq", {}), "BartForConditionalGeneration": ("seq2seq", {}), "MBartModel": ("seq2seq", {}), "PegasusModel": ("seq2seq", {}),
    "MarianMTModel": ("seq2seq", {}), "M2M100Model": ("seq2seq", {}), "BlenderbotModel": ("seq2seq", {}), "LEDModel": ("seq2seq", dict(attention_window=4, max_encoder_position_embeddings=64, max_decoder_position_embeddings=64)),
    "ProphetNetModel": ("seq2seq", dict(num_encoder_layers=2, num_encoder_attention_heads=4, num_decoder_attention_heads=4)), "LongT5Model": ("seq2seq", dict(local_radius=4)), "UMT5Model": ("seq2seq", {}),
    "SwitchTransformersModel": ("seq2seq", dict(num_experts=4, expert_capacity=8)),
    # Pictures
    "ViTForImageClassification": ("pixels", {}), "DeiTForImageClassification": ("pixels", {}), "BeitForImageClassification": ("pixels", {}), "Dinov2Model": ("pixels", {}),
    "SwinForImageClassification": ("pixels", dict(patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 2], window_size=4)), "Swinv2Model": ("pixels", dict(patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 2], window_size=4)),
    "ConvNextForImageClassification": ("pixels64", STAGES), "ConvNextV2Model": ("pixels64", STAGES), "ResNetForImageClassification": ("pixels64", dict(embedding_size=8, layer_type="basic", **STAGES)), "RegNetModel": ("pixels64", dict(embedding_size=8, groups_width=8, **STAGES)),
    "MobileNetV2Model": ("pixels64", {}), "MobileViTModel": ("pixels64", dict(hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 32, 48], image_size=64, patch_size=2)), "EfficientNetModel": ("pixels64", dict(width_coefficient=0.25, depth_coefficient=0.25, hidden_dim=320)),
    "SegformerForSemanticSegmentation": ("pixels64", dict(hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], decoder_hidden_size=16)), "PvtModel": ("pixels64", dict(image_size=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 2], patch_sizes=[4, 2, 2, 2])),
    "PoolFormerModel": ("pixels64", dict(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], patch_size=7)),
    "VideoMAEForVideoClassification": ("frames", dict(num_frames=4)), "DPTForDepthEstimation": ("pixels64", dict(image_size=64, num_hidden_layers=4, backbone_out_indices=[0, 1, 2, 3], neck_hidden_sizes=[8, 16, 24, 32], fusion_hidden_size=16)), "ViTMSNModel": ("pixels", {}), "YolosForObjectDetection": ("pixels", dict(image_size=[32, 32], num_detection_tokens=5)),
    # Sound
    "Wav2Vec2ForCTC": ("wave", SPEECH), "HubertForCTC": ("wave", SPEECH), "WavLMModel": ("wave", SPEECH), "SEWModel": ("wave", dict(squeeze_factor=2, **SPEECH)), "UniSpeechModel": ("wave", SPEECH), "Data2VecAudioModel": ("wave", {k: v for k, v in SPEECH.items() if k != "num_conv_pos_embeddings"} | dict(num_conv_pos_embeddings=2, conv_pos_kernel_size=3)),
    "WhisperForConditionalGeneration": ("mel", dict(num_mel_bins=16, suppress_tokens=None, begin_suppress_tokens=None)), "ASTModel": ("spectrum", dict(max_length=64, num_mel_bins=16)), "EncodecModel": ("codes", dict(num_filters=4, upsampling_ratios=[4, 2], codebook_size=16, codebook_dim=32, num_lstm_layers=1, compress=2)),
    # Several senses at once
    "CLIPModel": ("both", dict(text_config=TEXT | dict(eos_token_id=2), vision_config=VISION, projection_dim=16)), "SiglipModel": ("both", dict(text_config=TEXT | dict(projection_size=32), vision_config=VISION)), "BlipModel": ("both", dict(text_config=TEXT | dict(encoder_hidden_size=32), vision_config=VISION, projection_dim=16)),
    "AltCLIPModel": ("both", dict(text_config=TEXT | dict(project_dim=16), vision_config=VISION, projection_dim=16)), "ChineseCLIPModel": ("both", dict(text_config=TEXT, vision_config=VISION, projection_dim=16)), "GroupViTModel": ("both", dict(text_config=TEXT | dict(eos_token_id=2), vision_config=VISION | dict(depths=[1, 1, 1], num_group_tokens=[4, 2, 0], num_output_groups=[4, 2, 0], patch_size=8), projection_dim=16, projection_intermediate_dim=16)),
    "ViltModel": ("both", {}), "FlavaTextModel": ("text", {}), "OwlViTModel": ("both", dict(text_config=TEXT, vision_config=VISION, projection_dim=16)), "GitModel": ("captioned", dict(vision_config=VISION)), "VisualBertModel": ("text", dict(visual_embedding_dim=16)),
}


class Positional(torch.nn.Module):
    """A model that takes tensors in order, and gives its results as a tuple of tensors."""

    def __init__(self, model, names, constants):
        super().__init__()
        self.model, self.names, self.constants = model, names, constants

    def forward(self, *args):
        return self.model(**dict(zip(self.names, args)), **self.constants, return_dict=False)


def configuration(kind, beyond):
    """The class's own configuration, small."""
    defaults = kind.config_class()
    known = set(defaults.to_dict()) | set(getattr(defaults, "attribute_map", {}))
    # An alias of a name that is there is left out: both would be given.
    aliases = {a for a, name in getattr(defaults, "attribute_map", {}).items() if name in SMALL and name in known}
    return kind.config_class(**({k: v for k, v in SMALL.items() if k in known and k not in aliases} | beyond))


def transformer(name, attention):
    """A model with that way of attention, and its arguments; None where the class has no such way."""
    import transformers

    kind = getattr(transformers, name)
    inputs, beyond = TRANSFORMERS[name]
    if attention == "sdpa" and not kind._supports_sdpa:
        return None
    config = configuration(kind, beyond)
    config._attn_implementation = attention
    given = INPUTS[inputs]()
    tensors = {k: v for k, v in given.items() if isinstance(v, torch.Tensor)}
    constants = {k: v for k, v in given.items() if k not in tensors}
    return Positional(kind(config), list(tensors), constants), tuple(tensors.values())
