import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { recordWrite } from '../data/database/replica.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Maximum milliseconds that a request writes. */
const WRITING_MS = 40_000

/** Sends the reads of a tenant that has just written to the primary, until the replica has caught up. */
export const readYourWrites = ({ config, sql }: Pick<Context, 'config' | 'sql'>) => {
  const app = new Elysia({ name: 'own-writes' })
  if (!config.databaseReplicaUrl) return app
  return app
    .onBeforeHandle({ as: 'global' }, ({ request }) => {
      if (!READS.has(request.method)) recordWrite(sql, WRITING_MS)
    })
    .onAfterHandle({ as: 'global' }, ({ request }) => {
      if (!READS.has(request.method)) recordWrite(sql)
    })
}
