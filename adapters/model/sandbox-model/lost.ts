import { isRow, type LookedUp, type Usage } from 'serai/model'
import type { Sandbox } from './fields.ts'

const KEPT = 'generation:'

/** What has begun is written down: it can be looked up where its end never came. */
export const lose = ({ memory }: Sandbox, generation: string, usage: Usage) => memory.set(KEPT + generation, usage)
/** Who had the whole answer need not look it up. */
export const forget = ({ memory }: Sandbox, generation: string) => memory.delete(KEPT + generation)

export async function lookUp({ memory }: Sandbox, generation: string): Promise<LookedUp> {
  const usage = await memory.get(KEPT + generation)
  return isRow(usage) ? { done: true, usage } : null
}
