import { check, same } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { ModelAdapter } from '../members.ts'
import type { Completion, Message, Part } from '../model.ts'
import type { Rig, Script } from './rig.ts'

/** What a case works with: the source under watch, its other side, and connections. */
export interface Bench {
  readonly adapter: ModelAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

export interface Draft {
  readonly name: string
  /** Why it does not concern this source. */
  skip?(bench: Pick<Bench, 'adapter' | 'rig'>): string | undefined | false
  run(bench: Bench): Promise<void>
}

export const asks = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

/** What came, and the error that it ended with. */
export async function collect(parts: AsyncIterable<Part>): Promise<{ parts: Part[]; error: Error | undefined }> {
  const came: Part[] = []
  try {
    for await (const part of parts) came.push(part)
    return { parts: came, error: undefined }
  } catch (error) {
    return { parts: came, error: error as Error }
  }
}

export const textOf = (parts: readonly Part[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
export const callsOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'toolCall' ? [part.call] : []))

/** Asks once, of an other side that answers so where it can be told; all parts of an answer that is whole. */
export async function answered(
  { adapter, rig, open }: Bench,
  asked: Partial<Completion> & Pick<Completion, 'messages'>,
  script: Script,
): Promise<Part[]> {
  rig.say?.(script)
  const { parts, error } = await collect(adapter.complete(open().context, { model: rig.models.text, ...asked }))
  if (error) throw error
  same(parts.at(-1)?.type, 'end', 'the last part')
  same(parts.filter(({ type }) => type === 'end').length, 1, 'ends')
  const begins = parts.flatMap(({ type }, at) => (type === 'started' ? [at] : []))
  check(begins.length <= 1 && (begins[0] ?? 0) === 0, 'it begins once, at the beginning')
  return parts
}

export const endOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.type === 'end' ? [part.reason] : []))[0]
