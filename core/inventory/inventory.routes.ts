import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { notFound } from '../http/errors.ts'
import { createOnce } from '../http/idempotency.ts'
import { Data, Id, Nullable } from '../http/schema.ts'
import { readExpiry } from './expiry.ts'
import {
  BalanceQuery,
  Balances,
  MovementQuery,
  Movements,
  NewOperation,
  NewReservation,
  NewReversal,
  Operation,
  OperationQuery,
  Operations,
  Reservation,
} from './inventory.model.ts'
import { findOperation } from './operations.queries.ts'
import { pageOfBalances, pageOfMovements, pageOfOperations } from './pages.ts'
import { post } from './post.ts'
import { releaseReservation } from './release.ts'
import { asReservation, findReservation } from './reservations.queries.ts'
import { reserve } from './reserve.ts'
import { reverse } from './reverse.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Inventory'], summary, operationId })
const ById = T.Object({ id: Id })

/** The inventory ledger of a project: operations and their movements, balances, reservations. */
export const inventory = ({ sql, vault, auth }: Context) =>
  new Elysia({ name: 'inventory', prefix: '/v1/inventory' })
    .use(auth)
    .post(
      '/operations',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => ({
          data: await post(tx, creation.caller.projectId, creation.body),
        })),
      {
        scope: 'inventory:write',
        body: NewOperation,
        response: { 201: Data(Operation) },
        detail: describe('Post an operation; it is final', 'postOperation'),
      },
    )
    .get('/operations', ({ caller, query }) => pageOfOperations(sql, caller.projectId, query), {
      scope: 'inventory:read',
      query: OperationQuery,
      response: Operations,
      detail: describe('List operations, newest first', 'listOperations'),
    })
    .get(
      '/operations/:id',
      async ({ caller, params }) => {
        const operation = await findOperation(sql, caller.projectId, params.id)
        if (!operation) throw notFound('The operation')
        return { data: operation }
      },
      {
        scope: 'inventory:read',
        params: ById,
        response: Data(Operation),
        detail: describe('Read an operation with its movements', 'readOperation'),
      },
    )
    .post(
      '/operations/:id/reverse',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => ({
          data: await reverse(tx, creation.caller.projectId, creation.params.id, creation.body ?? {}),
        })),
      {
        scope: 'inventory:write',
        params: ById,
        body: T.Optional(Nullable(NewReversal)),
        response: { 201: Data(Operation) },
        detail: describe('Take an operation back by one that negates it', 'reverseOperation'),
      },
    )
    .get('/movements', ({ caller, query }) => pageOfMovements(sql, caller.projectId, query), {
      scope: 'inventory:read',
      query: MovementQuery,
      response: Movements,
      detail: describe('List movements of one item, namespace or operation, newest first', 'listMovements'),
    })
    .get('/balances', ({ caller, query }) => pageOfBalances(sql, caller.projectId, query), {
      scope: 'inventory:read',
      query: BalanceQuery,
      response: Balances,
      detail: describe('List balances by namespace, key and batch', 'listBalances'),
    })
    .post(
      '/reservations',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => {
          const { reference = null, legs } = creation.body
          return {
            data: await reserve(tx, creation.caller.projectId, {
              reference,
              legs,
              expiresAt: readExpiry(creation.body),
            }),
          }
        }),
      {
        scope: 'inventory:write',
        body: NewReservation,
        response: { 201: Data(Reservation) },
        detail: describe('Set stock aside, all of it or none', 'reserveStock'),
      },
    )
    .get(
      '/reservations/:id',
      async ({ caller, params }) => {
        const reservation = await findReservation(sql, caller.projectId, params.id)
        if (!reservation) throw notFound('The reservation')
        return { data: asReservation(reservation) }
      },
      {
        scope: 'inventory:read',
        params: ById,
        response: Data(Reservation),
        detail: describe('Read a reservation', 'readReservation'),
      },
    )
    .post(
      '/reservations/:id/release',
      async ({ caller, params }) => ({
        data: await transaction(sql, (tx) => releaseReservation(tx, caller.projectId, params.id)),
      }),
      {
        scope: 'inventory:write',
        params: ById,
        response: Data(Reservation),
        detail: describe('Give back what a reservation still holds; doing it again is no failure', 'releaseReservation'),
      },
    )
