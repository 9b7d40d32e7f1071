import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { limits } from '../config.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { placeOf } from '../geo/place.ts'
import { ApiError, invalid, notFound } from '../http/errors.ts'
import { createOnce, keepAnswer } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List } from '../http/schema.ts'
import { accountById } from '../integrations/call-carrier.ts'
import { presentBatch, startBatch } from './batch.ts'
import { cancelParcel, deleteParcel } from './cancel.ts'
import { createParcel, requestSubmission } from './create.ts'
import { type Adapted, adaptDestination, editParcel } from './edit.ts'
import {
  Batch,
  NewBatch,
  NewParcel,
  OutcomeDecision,
  Parcel,
  ParcelAnswer,
  ParcelChange,
  ParcelEvent,
  ParcelQuery,
} from './parcels.model.ts'
import { findBatch, findParcelOf, listAppliedEvents, listParcels, lockParcel, type ParcelRow, updateParcel } from './parcels.queries.ts'
import { present, presentEvent } from './present.ts'
import { decideOutcome } from './submit.ts'
import { outcomeError, waitForOutcome } from './wait.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Parcels'], summary, operationId })
const ById = T.Object({ id: Id })

/** Parcels of a project. */
export function parcels(context: Context) {
  const { sql } = context
  const owned = async (projectId: string, id: string) => {
    const parcel = await findParcelOf(sql, projectId, id)
    if (!parcel) throw notFound('The parcel')
    return parcel
  }
  return new Elysia({ name: 'parcels', prefix: '/v1/parcels' })
    .use(context.auth)
    .get(
      '',
      async ({ caller, query }) => {
        const found = await page(query, (before, take) => listParcels(sql, caller.projectId, query, before, take))
        return { ...found, data: found.data.map(present) }
      },
      { scope: 'parcels:read', query: ParcelQuery, response: List(Parcel), detail: describe('List parcels, newest first', 'listParcels') },
    )
    .post(
      '',
      async (creation) => {
        const { caller, body } = creation
        // The carrier is asked before the transaction, so that no lock waits for it.
        const adapted: Adapted =
          body.submit && body.carrierAccountId
            ? await adapt(context, caller.projectId, body.carrierAccountId, placeOf(body.destination))
            : { warnings: [] }
        const first = await createOnce(context, creation, async (tx) => {
          const parcel = await createParcel(tx, caller, body)
          if (body.submit) await requestSubmission(tx, [parcel.id])
          return answerOf(adapted.destination ? await updateParcel(tx, parcel.id, { destination: adapted.destination }) : parcel, adapted)
        })
        if (!body.submit || creation.set.headers['idempotent-replayed']) return first
        const answer = answerOf(await waitForOutcome(context, first.data.id, limits.sendWaitMs), adapted)
        await keepAnswer(context, creation, answer)
        return answer
      },
      {
        scope: 'parcels:write',
        body: NewParcel,
        response: { 201: ParcelAnswer },
        detail: describe('Create a parcel, and hand it to its carrier if asked', 'createParcel'),
      },
    )
    .post(
      '/batches',
      async (creation) => {
        const answer = await createOnce(context, creation, async (tx) => ({
          data: presentBatch(await startBatch(tx, creation.caller, creation.body)),
        }))
        creation.set.status = 202
        return answer
      },
      {
        scope: 'parcels:write',
        body: NewBatch,
        response: { 202: Data(Batch) },
        detail: describe('Create up to 1,000 parcels in the background', 'createBatch'),
      },
    )
    .get(
      '/batches/:id',
      async ({ caller, params }) => {
        const batch = await findBatch(sql, caller.projectId, params.id)
        if (!batch) throw notFound('The batch')
        return { data: presentBatch(batch) }
      },
      {
        scope: 'parcels:read',
        params: ById,
        response: Data(Batch),
        detail: describe('A batch, with what became of each row', 'readBatch'),
      },
    )
    .get('/:id', async ({ caller, params }) => ({ data: present(await owned(caller.projectId, params.id)) }), {
      scope: 'parcels:read',
      params: ById,
      response: Data(Parcel),
      detail: describe('Read a parcel', 'readParcel'),
    })
    .patch('/:id', ({ caller, params, body }) => editParcel(context, caller, params.id, body), {
      scope: 'parcels:write',
      params: ById,
      body: ParcelChange,
      response: ParcelAnswer,
      detail: describe('Edit a parcel: freely while created, then as far as its carrier can', 'editParcel'),
    })
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        await owned(caller.projectId, params.id)
        await deleteParcel(context, params.id)
        set.status = 204
      },
      {
        scope: 'parcels:write',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a parcel that is created or cancelled', 'deleteParcel'),
      },
    )
    .get(
      '/:id/events',
      async ({ caller, params }) => {
        const parcel = await owned(caller.projectId, params.id)
        return { data: (await listAppliedEvents(sql, parcel.projectId, parcel.id)).map(presentEvent) }
      },
      {
        scope: 'parcels:read',
        params: ById,
        response: Data(T.Array(ParcelEvent)),
        detail: describe('The timeline of a parcel, in order', 'listParcelEvents'),
      },
    )
    .post(
      '/:id/submit',
      async ({ caller, params }) => {
        const parcel = await owned(caller.projectId, params.id)
        if (parcel.status === 'submitting') throw new ApiError('outcome_unknown', 'The parcel is being handed over already.')
        if (parcel.status !== 'created')
          throw new ApiError('invalid_transition', `The parcel is ${parcel.status}; only one that is created can be submitted.`)
        if (!parcel.carrierAccountId)
          throw invalid('/carrierAccountId', 'Say first which carrier: PATCH the parcel with its carrierAccountId.')
        const adapted = await adapt(context, parcel.projectId, parcel.carrierAccountId, parcel.destination)
        await transaction(sql, async (tx) => {
          const now = await lockParcel(tx, parcel.id)
          if (now?.status === 'created' && adapted.destination) await updateParcel(tx, parcel.id, { destination: adapted.destination })
          await requestSubmission(tx, [parcel.id])
        })
        const after = await waitForOutcome(context, parcel.id, limits.sendWaitMs)
        const failure = outcomeError(after)
        if (failure) throw failure
        return answerOf(after, adapted)
      },
      { scope: 'parcels:write', params: ById, response: ParcelAnswer, detail: describe('Hand a parcel to its carrier', 'submitParcel') },
    )
    .post(
      '/:id/cancel',
      async ({ caller, params }) => ({ data: present(await cancelParcel(context, await owned(caller.projectId, params.id))) }),
      {
        scope: 'parcels:write',
        params: ById,
        response: ParcelAnswer,
        detail: describe('Cancel a parcel: while created, or as long as the carrier lets go of it', 'cancelParcel'),
      },
    )
    .post(
      '/:id/outcome',
      async ({ caller, params, body }) => {
        await owned(caller.projectId, params.id)
        if (body.taken && !body.trackingId) throw invalid('/body/trackingId', 'Required where the carrier has the parcel.')
        return { data: present(await decideOutcome(context, params.id, body.taken, body.trackingId)) }
      },
      {
        scope: 'parcels:write',
        params: ById,
        body: OutcomeDecision,
        response: Data(Parcel),
        detail: describe('Say whether the carrier has a parcel whose outcome nobody knows', 'decideParcelOutcome'),
      },
    )
}

const answerOf = (parcel: ParcelRow, { warnings, rewritten }: Adapted) => ({
  data: present(parcel),
  ...(warnings.length > 0 && { warnings }),
  ...(rewritten && { destinationRewritten: rewritten }),
})

async function adapt(context: Context, projectId: string, accountId: string, destination: ParcelRow['destination']): Promise<Adapted> {
  const account = await accountById(context, accountId)
  if (account.row.projectId !== projectId) throw invalid('/body/carrierAccountId', 'The project has no such carrier account.')
  return adaptDestination(context, account, { destination })
}
