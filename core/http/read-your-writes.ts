import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { noteWrite } from '../data/database/replica.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** No request writes for longer. */
const WRITING_MS = 40_000

/** Whoever writes is to read what he wrote: until that is at the replica, he is answered by the primary. */
export const readYourWrites = ({ config, sql }: Pick<Context, 'config' | 'sql'>) => {
  const app = new Elysia({ name: 'own-writes' })
  if (!config.databaseReplicaUrl) return app
  return app
    .onBeforeHandle({ as: 'global' }, ({ request }) => {
      if (!READS.has(request.method)) noteWrite(sql, WRITING_MS)
    })
    .onAfterHandle({ as: 'global' }, ({ request }) => {
      if (!READS.has(request.method)) noteWrite(sql)
    })
}
