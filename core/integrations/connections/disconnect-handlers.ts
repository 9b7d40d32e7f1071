import type { Context } from '../../context.ts'
import { type ConnectionRow, findLeftBehind } from './connections.queries.ts'

/** Says to the other side that a store's connection goes, as well as can be. It throws nothing that the other side is to blame for. */
export type Parting = (context: Context, connection: ConnectionRow) => Promise<void>

declare module '../../context.ts' {
  interface Services {
    /** What features above have to say while what the other side is asked by still works, by kind. */
    readonly partings: Map<string, Parting>
  }
}

export async function part(context: Context, connection: ConnectionRow): Promise<void> {
  await context.partings.get(connection.kind)?.(context, connection)
}

/** The same for one that nobody ended, and whose store is gone. */
export async function partLeftBehind(context: Context, id: string): Promise<void> {
  const row = await findLeftBehind(context.sql, id)
  if (row) await part(context, row)
}
