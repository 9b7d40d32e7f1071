import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, namedSchema, oneOf, PrintableText, StorableText } from '../schema.ts'

/** Price or cost: an exact decimal of at least 0. */
export const Cost = T.String({ pattern: '^(0|[1-9]\\d{0,11})(\\.\\d{1,18})?$' })
const Count = T.Integer({ minimum: 0, maximum: 1_000_000_000 })
/** Id of a model at its source. */
const ModelId = PrintableText(200, 1)
/** Id of a generation at its source. */
export const GenerationId = PrintableText(300, 1)

/** Maximum number of messages in a conversation. */
const MESSAGES_MAX = 2_000
/** Maximum number of tools in a request. */
const TOOLS_MAX = 128
/** Maximum number of images in a request or a result. */
export const IMAGES_MAX = 4
/** Maximum length of a text in characters. */
const TEXT_MAX = 1_000_000
/** Maximum length of the opaque data that a source wants back with a tool call. */
const CARRY_MAX = 100_000
/** Maximum length of an image or a sound in base64. */
const DATA_MAX = 28 * 1024 * 1024

/** Types of input that a model may accept. */
export const modalities = ['text', 'image', 'audio', 'file'] as const
/** Types of output that a model may produce. */
export const gifts = ['text', 'image', 'speech'] as const

/** Prices per unit in the adapter's currency. A missing price means free; if the whole object is missing, the prices are unknown. */
export const Prices = exact({
  inputToken: Maybe(Cost),
  cachedInputToken: Maybe(Cost),
  outputToken: Maybe(Cost),
  request: Maybe(Cost),
  inputImage: Maybe(Cost),
  outputImage: Maybe(Cost),
  /** Per character of text turned into speech. */
  character: Maybe(Cost),
})
/** Type of {@link Prices}. */
export type Prices = Static<typeof Prices>

/** A model of a source with its abilities, limits and prices. */
export const Model = namedSchema(
  'Model',
  exact({
    id: ModelId,
    name: PrintableText(200, 1),
    takes: T.Array(oneOf(modalities), { minItems: 1, maxItems: 4 }),
    gives: T.Array(oneOf(gifts), { minItems: 1, maxItems: 3 }),
    /** Support for tool calls (`tools`) and for output that follows a JSON schema (`structured`). */
    tools: T.Boolean(),
    structured: T.Boolean(),
    contextTokens: Maybe(Count),
    outputTokens: Maybe(Count),
    voices: Maybe(T.Array(PrintableText(60, 1), { maxItems: 100 })),
    /** Absent if the prices are unknown. */
    prices: Maybe(Prices),
  }),
)
/** Type of {@link Model}. */
export type Model = Static<typeof Model>

/** A file as base64 with its media type. */
export const Media = exact({ mediaType: T.String({ pattern: '^[a-z]+/[a-z0-9.+-]{1,60}$' }), data: T.String({ maxLength: DATA_MAX }) })
/** Type of {@link Media}. */
export type Media = Static<typeof Media>

const UserPart = T.Union([
  exact({ type: T.Literal('text'), text: StorableText(TEXT_MAX) }),
  exact({ type: T.Literal('image'), image: Media }),
])

/** A model's call of a tool. */
export const ToolCall = exact({
  /** Id of the call; the tool's result refers to it. */
  id: PrintableText(200, 1),
  name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
  /** Text that the model wrote as JSON; it may be invalid. */
  arguments: StorableText(TEXT_MAX),
  /** Opaque data that the source wants back with this call, unchanged. It is never sent to another model. */
  carry: Maybe(StorableText(CARRY_MAX, 1)),
})
/** Type of {@link ToolCall}. */
export type ToolCall = Static<typeof ToolCall>

/** A message of a conversation. */
export const Message = T.Union([
  exact({ role: T.Literal('system'), text: StorableText(TEXT_MAX) }),
  exact({ role: T.Literal('user'), parts: T.Array(UserPart, { minItems: 1, maxItems: 50 }) }),
  exact({ role: T.Literal('assistant'), text: StorableText(TEXT_MAX), toolCalls: Maybe(T.Array(ToolCall, { maxItems: TOOLS_MAX })) }),
  exact({
    role: T.Literal('tool'),
    callId: PrintableText(200, 1),
    name: PrintableText(64, 1),
    text: StorableText(TEXT_MAX),
    failed: Maybe(T.Boolean()),
  }),
])
/** Type of {@link Message}. */
export type Message = Static<typeof Message>

/** A tool that the model may call. */
export const Tool = exact({
  name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
  description: StorableText(4_000),
  /** JSON schema of an object. */
  parameters: T.Record(T.String(), T.Unknown()),
})
/** Type of {@link Tool}. */
export type Tool = Static<typeof Tool>

/** Request to continue a conversation. System messages come first. */
export const Completion = exact({
  model: ModelId,
  messages: T.Array(Message, { minItems: 1, maxItems: MESSAGES_MAX }),
  tools: Maybe(T.Array(Tool, { maxItems: TOOLS_MAX })),
  toolChoice: Maybe(oneOf(['auto', 'none', 'required'])),
  /** Name and JSON schema that the answer must match. */
  output: Maybe(exact({ name: T.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }), schema: T.Record(T.String(), T.Unknown()) })),
  maxTokens: Maybe(T.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** From 0 to 2; ignored for models that do not support it. */
  temperature: Maybe(T.Number({ minimum: 0, maximum: 2 })),
  /** Pseudonym of the user for the source's abuse detection. */
  person: Maybe(PrintableText(64, 1)),
})
/** Type of {@link Completion}. */
export type Completion = Static<typeof Completion>

/** Usage of a request as counted by the source. */
export const Usage = exact({
  inputTokens: Maybe(Count),
  /** Part of `inputTokens`. */
  cachedInputTokens: Maybe(Count),
  outputTokens: Maybe(Count),
  /** Part of `outputTokens`. */
  reasoningTokens: Maybe(Count),
  images: Maybe(Count),
  characters: Maybe(Count),
  /** Cost, if the source states it. */
  cost: Maybe(Cost),
})
/** Type of {@link Usage}. */
export type Usage = Static<typeof Usage>

/** Reasons for the end of an answer: complete, too long, tools to call, or refused by the source. */
export const endings = ['stop', 'length', 'tools', 'refused'] as const

/**
 * A part of an answer, in order. `started` comes at most once and first, `end` exactly once and last. An answer without parts, or one that
 * throws before `end`, is incomplete. A tool call is always one part.
 */
export const Part = T.Union([
  exact({ type: T.Literal('started'), generation: GenerationId }),
  exact({ type: T.Literal('thought'), text: StorableText(TEXT_MAX) }),
  exact({ type: T.Literal('text'), text: StorableText(TEXT_MAX) }),
  /** A tool that cannot be offered to the source, with the reason. The answer continues without it. */
  exact({ type: T.Literal('leftOut'), tool: PrintableText(200, 1), reason: StorableText(1_000, 1) }),
  exact({ type: T.Literal('toolCall'), call: ToolCall }),
  exact({ type: T.Literal('usage'), usage: Usage }),
  exact({ type: T.Literal('end'), reason: oneOf(endings) }),
])
/** Type of {@link Part}. */
export type Part = Static<typeof Part>

/** Formats of a generated image. */
export const sizes = ['square', 'portrait', 'landscape'] as const
const picture = {
  model: ModelId,
  prompt: StorableText(32_000, 1),
  size: oneOf(sizes),
  count: T.Integer({ minimum: 1, maximum: IMAGES_MAX }),
  transparent: Maybe(T.Boolean()),
  person: Maybe(PrintableText(64, 1)),
}
/** Request to generate images. */
export const Drawing = exact(picture)
/** Type of {@link Drawing}. */
export type Drawing = Static<typeof Drawing>
/** Request to edit images. */
export const Editing = exact({ ...picture, images: T.Array(Media, { minItems: 1, maxItems: IMAGES_MAX }), mask: Maybe(Media) })
/** Type of {@link Editing}. */
export type Editing = Static<typeof Editing>

/** Generated images. */
export const Drawn = exact({
  generation: Maybe(GenerationId),
  images: T.Array(Media, { minItems: 1, maxItems: IMAGES_MAX }),
  usage: Usage,
})
/** Type of {@link Drawn}. */
export type Drawn = Static<typeof Drawn>

/** Audio formats of generated speech. */
export const speechFormats = ['mp3', 'wav', 'opus'] as const
/** Request to turn a text into speech. */
export const Speaking = exact({
  model: ModelId,
  text: StorableText(4_096, 1),
  voice: PrintableText(60, 1),
  /** Instructions for the manner of speaking. */
  manner: Maybe(StorableText(2_000)),
  format: oneOf(speechFormats),
  /** 1 by default. */
  speed: Maybe(T.Number({ minimum: 0.25, maximum: 4 })),
})
/** Type of {@link Speaking}. */
export type Speaking = Static<typeof Speaking>
/** Generated speech. */
export const Spoken = exact({ generation: Maybe(GenerationId), sound: Media, usage: Usage })
/** Type of {@link Spoken}. */
export type Spoken = Static<typeof Spoken>

/** State of a generation; null if the source does not know it, or not yet. */
export const LookedUp = T.Union([exact({ done: T.Boolean(), usage: Maybe(Usage) }), T.Null()])
/** Type of {@link LookedUp}. */
export type LookedUp = Static<typeof LookedUp>
