import { NO_ADAPTER } from '../../kind.ts'
import type { DeclaredAdapter } from './protocol.ts'

/** Returns the data of a definition and the names of its functions, also those of groups (objects in it). */
export function describeDefinition(definition: unknown): DeclaredAdapter {
  if (definition === null || typeof definition !== 'object') throw new Error(NO_ADAPTER)
  const functions: string[] = []
  const plain = (holder: object, prefix: string) =>
    Object.fromEntries(
      Object.entries(holder).flatMap(([name, value]): [string, unknown][] => {
        if (typeof value === 'function') {
          functions.push(prefix + name)
          return []
        }
        const holds = prefix === '' && value !== null && typeof value === 'object' && !Array.isArray(value)
        return [[name, holds ? plain(value as object, `${name}.`) : value]]
      }),
    )
  return { data: plain(definition, ''), functions }
}
