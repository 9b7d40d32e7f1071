import { isRow, type LookedUp, type Usage } from 'serai/model'
import type { Sandbox } from './fields.ts'

const KEPT = 'generation:'

/** Stores the usage of a generation that has begun, for a lookup after a lost answer. */
export const storeGeneration = ({ memory }: Sandbox, generation: string, usage: Usage) => memory.set(KEPT + generation, usage)
/** Deletes a generation that was answered in full. */
export const deleteGeneration = ({ memory }: Sandbox, generation: string) => memory.delete(KEPT + generation)

export async function lookUp({ memory }: Sandbox, generation: string): Promise<LookedUp> {
  const usage = await memory.get(KEPT + generation)
  return isRow(usage) ? { done: true, usage } : null
}
