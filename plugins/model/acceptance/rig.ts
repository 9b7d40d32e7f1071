import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { endings, ToolCall, Usage } from '../model.ts'

/**
 * Faults of the simulator:
 * - `rate_limited`: refuses calls for two seconds.
 * - `error_before`: answers with an error, nothing generated.
 * - `error_inside`: fails in the middle of an answer that began well.
 * - `cut`: breaks off the connection in an answer.
 * - `hang`: stops sending.
 */
export const faults = ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'] as const
/** One of {@link faults}. */
export type Fault = (typeof faults)[number]

/** Answer of the simulator, in the pieces in which it is sent. */
export interface Script {
  readonly pieces?: readonly string[]
  readonly toolCalls?: readonly ToolCall[]
  readonly ending?: (typeof endings)[number]
  readonly usage?: Usage
}

/** One entry of a conversation, in a form independent of the source. */
export type Said =
  | { readonly by: 'user' | 'assistant'; readonly text: string }
  /** Media type and base64, separated by a space. */
  | { readonly by: 'user'; readonly picture: string }
  /** A tool call; `carry` is the opaque data of the source, if it sent any. */
  | { readonly by: 'assistant'; readonly calls: string; readonly given: unknown; readonly carry?: string }
  /** Result of the tool with this name. */
  | { readonly by: 'tool'; readonly answers: string; readonly text: string }

/** Completion request as the simulator received it. */
export interface Heard {
  readonly model: string
  readonly system: string
  readonly said: readonly Said[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  readonly schema?: unknown
  readonly maxTokens?: number | undefined
}

/** Simulator of a model source, and how to connect to it. */
export interface Rig {
  /** Valid credentials, as a user enters them or the host fills them in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials?: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** Ids of models; each produces only this type of output, if the source has such a model. */
  readonly models: { readonly text: string; readonly image?: string; readonly speech?: string }
  /** Prices per token of the text model; absent if they are unknown. */
  readonly prices?: { readonly inputToken: string; readonly outputToken: string }
  /** Sets the answer to the next completions. Absent if the simulator answers as the adapter's README says. */
  say?(script: Script): void
  /** Parses a recorded call of a completion. Absent if the adapter makes no calls. */
  heard?(call: SeenCall): Heard
  /** Its answers have no ids. */
  readonly nameless?: true
  /** It sends opaque data with tool calls and wants it back: `carry` of `say`. */
  readonly carries?: true
  /** Makes it refuse requests that offer the tool which it knows by this name; undefined ends that. */
  refuse?(tool: string | undefined): void
  /** Faults that it can simulate. */
  readonly faults: readonly Fault[]
  fail(fault: Fault): void
  calm(): void
  calls(): Promise<readonly SeenCall[]>
  /** Returns the number of answers whose client disconnected before the end. */
  left?(): number
  /** Starts a generation whose end never reaches the adapter, and returns its id. */
  lose?(desk: Desk): Promise<string>
  /** Usage of that generation, if it is always the same. */
  readonly lost?: Usage
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  close?(): unknown
}
