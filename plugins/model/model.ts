import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, named, oneOf, Printed, Written } from '../schema.ts'

/** A price or a cost: an exact decimal, never negative. */
export const Cost = T.String({ pattern: '^(0|[1-9]\\d{0,11})(\\.\\d{1,18})?$' })
const Count = T.Integer({ minimum: 0, maximum: 1_000_000_000 })
export const ModelId = Printed(200, 1)
/** What the other side calls one of its generations. */
export const GenerationId = Printed(300, 1)

export const MESSAGES_MAX = 2_000
export const TOOLS_MAX = 128
export const IMAGES_MAX = 4
export const TEXT_MAX = 1_000_000
/** Of what a source wants back with a call. */
export const CARRY_MAX = 100_000
/** Of a picture or a sound, in base64. */
const DATA_MAX = 28 * 1024 * 1024

export const modalities = ['text', 'image', 'audio', 'file'] as const
export const gifts = ['text', 'image', 'speech'] as const

/** Prices by the unit, in the currency of the adapter; what is left out costs nothing, or is not known where there is no price at all. */
export const Prices = exact({
  inputToken: Maybe(Cost),
  cachedInputToken: Maybe(Cost),
  outputToken: Maybe(Cost),
  request: Maybe(Cost),
  inputImage: Maybe(Cost),
  outputImage: Maybe(Cost),
  /** Of a text that is spoken. */
  character: Maybe(Cost),
})
export type Prices = Static<typeof Prices>

export const Model = named(
  'Model',
  exact({
    id: ModelId,
    name: Printed(200, 1),
    takes: T.Array(oneOf(modalities), { minItems: 1, maxItems: 4 }),
    gives: T.Array(oneOf(gifts), { minItems: 1, maxItems: 3 }),
    /** Whether it calls tools, and whether it can be held to a schema. */
    tools: T.Boolean(),
    structured: T.Boolean(),
    contextTokens: Maybe(Count),
    outputTokens: Maybe(Count),
    voices: Maybe(T.Array(Printed(60, 1), { maxItems: 100 })),
    /** Left out where nobody knows what it costs. */
    prices: Maybe(Prices),
  }),
)
export type Model = Static<typeof Model>

/** Bytes, in base64. */
export const Media = exact({ mediaType: T.String({ pattern: '^[a-z]+/[a-z0-9.+-]{1,60}$' }), data: T.String({ maxLength: DATA_MAX }) })
export type Media = Static<typeof Media>

const SaidPart = T.Union([exact({ type: T.Literal('text'), text: Written(TEXT_MAX) }), exact({ type: T.Literal('image'), image: Media })])

export const ToolCall = exact({
  /** Which call it is; its answer says so too. */
  id: Printed(200, 1),
  name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
  /** JSON, as the model wrote it: it may be none. */
  arguments: Written(TEXT_MAX),
  /** What the source wants back with this call, as it was: nobody else reads it, and no other model is given it. */
  carry: Maybe(Written(CARRY_MAX, 1)),
})
export type ToolCall = Static<typeof ToolCall>

export const Message = T.Union([
  exact({ role: T.Literal('system'), text: Written(TEXT_MAX) }),
  exact({ role: T.Literal('user'), parts: T.Array(SaidPart, { minItems: 1, maxItems: 50 }) }),
  exact({ role: T.Literal('assistant'), text: Written(TEXT_MAX), toolCalls: Maybe(T.Array(ToolCall, { maxItems: TOOLS_MAX })) }),
  exact({ role: T.Literal('tool'), callId: Printed(200, 1), name: Printed(64, 1), text: Written(TEXT_MAX), failed: Maybe(T.Boolean()) }),
])
export type Message = Static<typeof Message>

export const Tool = exact({
  name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
  description: Written(4_000),
  /** A JSON schema of an object. */
  parameters: T.Record(T.String(), T.Unknown()),
})
export type Tool = Static<typeof Tool>

/** What a model is asked to go on with. System messages stand first. */
export const Completion = exact({
  model: ModelId,
  messages: T.Array(Message, { minItems: 1, maxItems: MESSAGES_MAX }),
  tools: Maybe(T.Array(Tool, { maxItems: TOOLS_MAX })),
  toolChoice: Maybe(oneOf(['auto', 'none', 'required'])),
  /** The JSON schema that its answer has to fit, under a name. */
  output: Maybe(exact({ name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }), schema: T.Record(T.String(), T.Unknown()) })),
  maxTokens: Maybe(T.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** 0 to 2; not every model takes one, and where it does not it is left out. */
  temperature: Maybe(T.Number({ minimum: 0, maximum: 2 })),
  /** Stands for the person whom it is for, told to nobody by name. */
  person: Maybe(Printed(64, 1)),
})
export type Completion = Static<typeof Completion>

/** What it took, from the other side's own count. */
export const Usage = exact({
  inputTokens: Maybe(Count),
  /** Part of `inputTokens`. */
  cachedInputTokens: Maybe(Count),
  outputTokens: Maybe(Count),
  /** Part of `outputTokens`. */
  reasoningTokens: Maybe(Count),
  images: Maybe(Count),
  characters: Maybe(Count),
  /** What it came to, where the other side says so itself. */
  cost: Maybe(Cost),
})
export type Usage = Static<typeof Usage>

/** Why it stopped: done, too long, tools are to be called, or the other side would not. */
export const endings = ['stop', 'length', 'tools', 'refused'] as const

/**
 * A part of an answer, in order: `started` at most once and first, `end` once and last; no part at all, or a throw before `end`, is an
 * answer that did not arrive whole. A tool's call comes in one piece.
 */
export const Part = T.Union([
  exact({ type: T.Literal('started'), generation: GenerationId }),
  exact({ type: T.Literal('thought'), text: Written(TEXT_MAX) }),
  exact({ type: T.Literal('text'), text: Written(TEXT_MAX) }),
  /** A tool that the other side cannot be told of, and why: the answer goes on without it. */
  exact({ type: T.Literal('leftOut'), tool: Printed(200, 1), reason: Written(1_000, 1) }),
  exact({ type: T.Literal('toolCall'), call: ToolCall }),
  exact({ type: T.Literal('usage'), usage: Usage }),
  exact({ type: T.Literal('end'), reason: oneOf(endings) }),
])
export type Part = Static<typeof Part>

export const sizes = ['square', 'portrait', 'landscape'] as const
const picture = {
  model: ModelId,
  prompt: Written(32_000, 1),
  size: oneOf(sizes),
  count: T.Integer({ minimum: 1, maximum: IMAGES_MAX }),
  transparent: Maybe(T.Boolean()),
  person: Maybe(Printed(64, 1)),
}
export const Drawing = exact(picture)
export type Drawing = Static<typeof Drawing>
export const Editing = exact({ ...picture, images: T.Array(Media, { minItems: 1, maxItems: IMAGES_MAX }), mask: Maybe(Media) })
export type Editing = Static<typeof Editing>

export const Drawn = exact({
  generation: Maybe(GenerationId),
  images: T.Array(Media, { minItems: 1, maxItems: IMAGES_MAX }),
  usage: Usage,
})
export type Drawn = Static<typeof Drawn>

export const speechFormats = ['mp3', 'wav', 'opus'] as const
export const Speaking = exact({
  model: ModelId,
  text: Written(4_096, 1),
  voice: Printed(60, 1),
  /** How it is to sound, in words. */
  manner: Maybe(Written(2_000)),
  format: oneOf(speechFormats),
  /** 1 unless said. */
  speed: Maybe(T.Number({ minimum: 0.25, maximum: 4 })),
})
export type Speaking = Static<typeof Speaking>
export const Spoken = exact({ generation: Maybe(GenerationId), sound: Media, usage: Usage })
export type Spoken = Static<typeof Spoken>

/** What became of a generation: null where the other side knows none of it, or not yet. */
export const LookedUp = T.Union([exact({ done: T.Boolean(), usage: Maybe(Usage) }), T.Null()])
export type LookedUp = Static<typeof LookedUp>
