import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { projectResourceMacro } from '../../http/auth/project-access.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, Nullable } from '../../http/schema.ts'
import {
  Balances,
  balanceList,
  Movements,
  movementList,
  NewOperation,
  NewReservation,
  NewReversal,
  Operation,
  Operations,
  operationList,
  Reservation,
} from './inventory.model.ts'
import { findOperation } from './operations/operations.queries.ts'
import { postOperation } from './operations/post-operation.ts'
import { reverseOperation } from './operations/reverse-operation.ts'
import { parseExpiry } from './parse-expiry.ts'
import { readBalancesPage, readMovementsPage, readOperationsPage } from './read-pages.ts'
import { assertNotHeldByOrder } from './reservations/assert-not-held-by-order.ts'
import { releaseReservation } from './reservations/release-reservation.ts'
import { findReservation, presentReservation } from './reservations/reservations.queries.ts'
import { reserveStock } from './reservations/reserve-stock.ts'

const describe = tagOperations('Inventory')
const ById = T.Object({ id: Id })

/** Routes of the inventory ledger: operations and their movements, balances, reservations. */
export const inventory = ({ sql, vault, auth }: Context) =>
  new Elysia({ name: 'inventory', prefix: '/v1/inventory' })
    .use(auth)
    .macro(
      'operation',
      projectResourceMacro('operation', (projectId, id) => findOperation(sql, projectId, id)),
    )
    .macro(
      'reservation',
      projectResourceMacro('reservation', (projectId, id) => findReservation(sql, projectId, id)),
    )
    .post(
      '/operations',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => {
          await assertNotHeldByOrder(tx, creation.project.id, creation.body.reservationId)
          return { data: await postOperation(tx, creation.project.id, creation.body) }
        }),
      {
        project: ['admin', 'inventory:write'],
        body: NewOperation,
        response: { 201: Data(Operation) },
        detail: describe('Post an operation; it is final', 'postOperation'),
      },
    )
    .get('/operations', ({ project, query }) => readOperationsPage(sql, project.id, query), {
      project: ['viewer', 'inventory:read'],
      query: operationList.query,
      response: Operations,
      detail: describe('List operations; a page ends early at a thousand movements', 'listOperations'),
    })
    .get('/operations/:id', ({ operation }) => ({ data: operation }), {
      operation: ['viewer', 'inventory:read'],
      params: ById,
      response: Data(Operation),
      detail: describe('Read an operation with its movements', 'readOperation'),
    })
    .post(
      '/operations/:id/reverse',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => ({
          data: await reverseOperation(tx, creation.project.id, creation.params.id, creation.body ?? {}),
        })),
      {
        project: ['admin', 'inventory:write'],
        params: ById,
        body: T.Optional(Nullable(NewReversal)),
        response: { 201: Data(Operation) },
        detail: describe('Reverse an operation by posting its negation', 'reverseOperation'),
      },
    )
    .get('/movements', ({ project, query }) => readMovementsPage(sql, project.id, query), {
      project: ['viewer', 'inventory:read'],
      query: movementList.query,
      response: Movements,
      detail: describe('List movements of one item, namespace or operation', 'listMovements'),
    })
    .get('/balances', ({ project, query }) => readBalancesPage(sql, project.id, query), {
      project: ['viewer', 'inventory:read'],
      query: balanceList.query,
      response: Balances,
      detail: describe('List balances by namespace, key and batch', 'listBalances'),
    })
    .post(
      '/reservations',
      (creation) =>
        createOnce({ sql, vault }, creation, async (tx) => {
          const { reference = null, legs } = creation.body
          return {
            data: await reserveStock(tx, creation.project.id, {
              reference,
              legs,
              expiresAt: parseExpiry(creation.body),
            }),
          }
        }),
      {
        project: ['admin', 'inventory:write'],
        body: NewReservation,
        response: { 201: Data(Reservation) },
        detail: describe('Reserve stock, all of it or none', 'reserveStock'),
      },
    )
    .get('/reservations/:id', ({ reservation }) => ({ data: presentReservation(reservation) }), {
      reservation: ['viewer', 'inventory:read'],
      params: ById,
      response: Data(Reservation),
      detail: describe('Read a reservation', 'readReservation'),
    })
    .post(
      '/reservations/:id/release',
      async ({ project, params }) => ({
        data: await transaction(sql, async (tx) => {
          await assertNotHeldByOrder(tx, project.id, params.id)
          return releaseReservation(tx, project.id, params.id)
        }),
      }),
      {
        project: ['admin', 'inventory:write'],
        params: ById,
        response: Data(Reservation),
        detail: describe('Release the stock that a reservation still holds; idempotent', 'releaseReservation'),
      },
    )
