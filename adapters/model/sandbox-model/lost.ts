import { isRow, type LookedUp, type Usage } from 'serai/model'
import type { Sandbox } from './fields.ts'

const KEPT = 'generation:'

/** Stores the usage of a generation that has begun, for a lookup after a lost answer. */
export const storeGeneration = ({ storage }: Sandbox, generation: string, usage: Usage) => storage.set(KEPT + generation, usage)
/** Deletes a generation that was answered in full. */
export const deleteGeneration = ({ storage }: Sandbox, generation: string) => storage.delete(KEPT + generation)

export async function lookUp({ storage }: Sandbox, generation: string): Promise<LookedUp> {
  const usage = await storage.get(KEPT + generation)
  return isRow(usage) ? { done: true, usage } : null
}
