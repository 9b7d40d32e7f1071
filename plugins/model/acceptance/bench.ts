import { assertEqual, check } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { ModelAdapter } from '../members.ts'
import type { Completion, Message, Part } from '../model.ts'
import type { Rig, Script } from './rig.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly adapter: ModelAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

/** A case before it is bound to an adapter and a rig. */
export interface Draft {
  readonly name: string
  /** Returns the reason if the case does not apply to this source. */
  skip?(bench: Pick<Bench, 'adapter' | 'rig'>): string | undefined | false
  run(bench: Bench): Promise<void>
}

/** Builds a user message with one text. */
export const userMessage = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

/** Collects the parts of an answer, and the error that ended it. */
export async function collect(parts: AsyncIterable<Part>): Promise<{ parts: Part[]; error: Error | undefined }> {
  const received: Part[] = []
  try {
    for await (const part of parts) received.push(part)
    return { parts: received, error: undefined }
  } catch (error) {
    return { parts: received, error: error as Error }
  }
}

/** Joins the text parts of an answer. */
export const textOf = (parts: readonly Part[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
/** Returns the tool calls of an answer. */
export const callsOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'toolCall' ? [part.call] : []))

/**
 * Sends one completion, for which the simulator answers with the script if it can. Returns the parts; throws if the answer is incomplete.
 */
export async function completeOnce(
  { adapter, rig, open }: Bench,
  asked: Partial<Completion> & Pick<Completion, 'messages'>,
  script: Script,
): Promise<Part[]> {
  rig.say?.(script)
  const { parts, error } = await collect(adapter.complete(open().context, { model: rig.models.text, ...asked }))
  if (error) throw error
  assertEqual(parts.at(-1)?.type, 'end', 'the last part')
  assertEqual(parts.filter(({ type }) => type === 'end').length, 1, 'ends')
  const begins = parts.flatMap(({ type }, at) => (type === 'started' ? [at] : []))
  check(begins.length <= 1 && (begins[0] ?? 0) === 0, 'it begins once, at the beginning')
  return parts
}

/** Returns the reason for the end of an answer. */
export const endOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'end' ? [part.reason] : []))[0]
