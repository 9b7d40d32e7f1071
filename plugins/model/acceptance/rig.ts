import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { endings, ToolCall, Usage } from '../model.ts'

/**
 * How the other side can misbehave: it takes no more now, for two seconds; it answers with an error, nothing done; it says an error in the
 * midst of an answer that had begun well; it breaks off; it says nothing more.
 */
export const faults = ['rate_limited', 'error_before', 'error_inside', 'cut', 'hang'] as const
export type Fault = (typeof faults)[number]

/** What the other side is to answer, in pieces as it says them. */
export interface Script {
  readonly pieces?: readonly string[]
  readonly toolCalls?: readonly ToolCall[]
  readonly ending?: (typeof endings)[number]
  readonly usage?: Usage
}

/** One thing that was said, shown, called or answered, in the words of no source. */
export type Said =
  | { readonly by: 'user' | 'assistant'; readonly text: string }
  /** Its type and its bytes, with a space between them. */
  | { readonly by: 'user'; readonly picture: string }
  /** `carry`: what the other side had said beside the call for itself, where it had. */
  | { readonly by: 'assistant'; readonly calls: string; readonly given: unknown; readonly carry?: string }
  /** By the name of the tool. */
  | { readonly by: 'tool'; readonly answers: string; readonly text: string }

/** A completion as the other side was asked for it. */
export interface Heard {
  readonly model: string
  readonly system: string
  readonly said: readonly Said[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  readonly schema?: unknown
  readonly maxTokens?: number | undefined
}

/** The other side of a source of models. */
export interface Rig {
  /** Values that work, as a person would type them or the host fills them in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials?: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** One that gives each and nothing else, where there is one. */
  readonly models: { readonly text: string; readonly image?: string; readonly speech?: string }
  /** What a token costs that goes into the one of texts, and one that comes out; left out where nobody knows. */
  readonly prices?: { readonly inputToken: string; readonly outputToken: string }
  /** What the next completions are answered; left out where the other side answers as the README of the adapter says. */
  say?(script: Script): void
  /** What a call asks for that is one of a completion. Left out where nobody is called. */
  heard?(call: SeenCall): Heard
  /** Its answers have no names. */
  readonly nameless?: true
  /** It wants something back with the calls of tools: what `say` names as `carry`. */
  readonly carries?: true
  /** Makes it refuse every request that offers a tool which it knows by this name; undefined: none. */
  refuse?(tool: string | undefined): void
  /** How it can be made to misbehave. */
  readonly faults: readonly Fault[]
  fail(fault: Fault): void
  calm(): void
  calls(): Promise<readonly SeenCall[]>
  /** How many answers were left before their end. */
  left?(): number
  /** A generation whose end never came to the adapter, once it can be looked up. */
  lose?(desk: Desk): Promise<string>
  /** What it took, where that is always the same. */
  readonly lost?: Usage
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  close?(): unknown
}
