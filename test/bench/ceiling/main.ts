import { Elysia } from 'elysia'
import postgres from 'postgres'
import type { Connection } from '../../../core/data/sql.ts'
import { answerWith } from '../child.ts'
import { type OrderBody, takeOrder } from './order.ts'
import { listParcels, readParcel } from './reads.ts'
import { type TransferBody, transfer } from './transfer.ts'

export interface CeilingSetup {
  readonly connection: Connection
  readonly pool: number
  readonly projectId: string
}

/**
 * How fast it could be: the same framework, driver, pool and statements, and nothing else — no credentials, no validation, no
 * limits, no envelope. Gives back its address.
 */
async function start({ connection, pool, projectId }: CeilingSetup): Promise<string> {
  const sql = open(connection, pool)
  const app = new Elysia({ systemRouter: false } as object)
    .get('/v1/parcels/:id', ({ params }) => readParcel(sql, projectId, params.id))
    .get('/v1/parcels', ({ query }) => listParcels(sql, projectId, Number(query.limit)))
    .post('/v1/orders', ({ body }) => takeOrder(sql, projectId, body as OrderBody))
    .post('/v1/inventory/operations', ({ body }) => transfer(sql, projectId, body as TransferBody))
    .listen({ port: 0, hostname: '127.0.0.1' })
  return `http://127.0.0.1:${app.server!.port}`
}

function open(connection: Connection, max: number) {
  if ('url' in connection) return postgres(connection.url, { max })
  const { socketDir, port, user, database } = connection
  return postgres({ path: `${socketDir}/.s.PGSQL.${port}`, user, database, max })
}

answerWith(start)
