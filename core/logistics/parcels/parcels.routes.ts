import { Type as T } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { limits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { projectResourceMacro, type RequestProject } from '../../http/auth/project-access.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readList } from '../../http/resource/list.ts'
import { type PageInput, readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findBatch, listBatchResults } from './batch/batches.queries.ts'
import { presentBatch } from './batch/present.ts'
import { createBatch } from './batch/process-batches.ts'
import { cancelParcel, deleteParcel } from './change/cancel.ts'
import { editParcel } from './change/edit-parcel.ts'
import { createParcel } from './create.ts'
import { parcelColumns } from './figures/export-parcels.ts'
import { respondPending, submissionError, waitForOutcome } from './lifecycle/wait-for-outcomes.ts'
import { parcelErrors } from './parcels.errors.ts'
import {
  NewParcel,
  NewParcelBatch,
  OutcomeDecision,
  Parcel,
  ParcelBatch,
  ParcelChange,
  ParcelEvent,
  ParcelResponse,
  parcelList,
  SubmitOptions,
} from './parcels.model.ts'
import { findParcel, listParcelEvents, listParcels, type ParcelKey } from './parcels.queries.ts'
import { presentParcel, presentParcelEvent, presentParcelResponse, presentSendingResponse } from './present.ts'
import { decideOutcome } from './submission/decide-outcome.ts'
import { wakeSenders } from './submission/request.ts'
import { submitParcel } from './submission/submit-parcel.ts'

const describe = tagOperations('Parcels')
const ById = T.Object({ id: Id })
/** Query of a timeline. The default limit is more than nearly every timeline has. */
const eventsQuery = { ...pageQuery, limit: T.Optional(t.Integer({ minimum: 1, maximum: 100, default: 100 })) }

/** Reads a page of a timeline. Every parcel has entries, so only an empty page needs a look whether the parcel exists. */
async function readTimeline(sql: Queryable, key: ParcelKey, { limit = 100, cursor }: PageInput) {
  const events = await readKeysetPage({ limit, ...(cursor !== undefined && { cursor }) }, (after, take) =>
    listParcelEvents(sql, key, after, take),
  )
  if (events.data.length === 0 && !(await findParcel(sql, key))) throw notFound('The parcel')
  return { ...events, data: events.data.map(presentParcelEvent) }
}

const ownerOf = ({ id, tenantId }: RequestProject) => ({ projectId: id, tenantId })

/** Routes of the parcels of a project. */
export function parcelRoutes(context: Context) {
  const { sql } = context
  /** Waits for the outcome of a submission, as far as it is known in time, and returns the response. */
  const waitForResponse = async (key: ParcelKey) => {
    await wakeSenders(context)
    return presentSendingResponse(await waitForOutcome(context, key, limits.sendWaitMs))
  }
  return new Elysia({ name: 'parcels', prefix: '/v1/parcels' })
    .use(context.auth)
    .macro(
      'parcel',
      projectResourceMacro('parcel', (projectId, id) => findParcel(sql, { projectId, id })),
    )
    .macro(
      'batch',
      projectResourceMacro('batch', (projectId, id) => findBatch(sql, projectId, id)),
    )
    .get(
      '',
      async ({ project, query }) => {
        const found = await readList(sql, parcelList, query, (reader, asked) => listParcels(reader, project.id, asked))
        return { ...found, data: found.data.map(presentParcel) }
      },
      {
        project: ['viewer', 'parcels:read'],
        query: parcelList.query,
        response: List(Parcel),
        detail: describe('List parcels', 'listParcels'),
      },
    )
    .get(
      '/export.csv',
      ({ project, query, request }) =>
        exportCsv({ request, query, ownerId: project.id, name: 'parcels' }, parcelColumns, async (asked) => {
          const found = await readList(sql, parcelList, asked, (reader, wanted) => listParcels(reader, project.id, wanted))
          return { ...found, data: found.data.map(presentParcel) }
        }),
      {
        project: ['viewer', 'parcels:read'],
        query: exportQuery(parcelList.query),
        detail: { ...describe('Export parcels as CSV, with the filters of their list', 'exportParcels'), ...csvResponse },
      },
    )
    .post(
      '',
      async (creation) => {
        const { project, body } = creation
        const create = async (tx: Tx) => {
          const parcel = await createParcel(tx, { ...ownerOf(project), plugins: context.plugins }, body)
          if (body.submit) await submitParcel(tx, parcel, { force: false })
          return presentParcelResponse(parcel)
        }
        return createOnce(
          context,
          creation,
          create,
          body.submit ? ({ data }) => waitForResponse({ projectId: project.id, id: data.id }) : undefined,
        )
      },
      {
        project: ['agent', 'parcels:write'],
        body: NewParcel,
        response: { 201: ParcelResponse },
        detail: describe('Create a parcel, and submit it to its carrier if requested', 'createParcel'),
      },
    )
    .post(
      '/batches',
      async (creation) => {
        const answer = await createOnce(context, creation, async (tx) => ({
          data: presentBatch(await createBatch(tx, ownerOf(creation.project), creation.body), []),
        }))
        creation.set.status = 202
        return answer
      },
      {
        project: ['agent', 'parcels:write'],
        body: NewParcelBatch,
        response: { 202: Data(ParcelBatch) },
        detail: describe('Create up to 1,000 parcels in the background', 'createBatch'),
      },
    )
    .get('/batches/:id', async ({ batch, project }) => ({ data: presentBatch(batch, await listBatchResults(sql, project.id, batch.id)) }), {
      batch: ['viewer', 'parcels:read'],
      params: ById,
      response: Data(ParcelBatch),
      detail: describe('Read a batch with the result of each row', 'readBatch'),
    })
    .get('/:id', ({ parcel }) => ({ data: presentSendingResponse(parcel).data }), {
      parcel: ['viewer', 'parcels:read'],
      params: ById,
      response: Data(Parcel),
      detail: describe('Read a parcel', 'readParcel'),
    })
    .patch('/:id', ({ project, params, body }) => editParcel(context, ownerOf(project), params.id, body), {
      project: ['agent', 'parcels:write'],
      params: ById,
      body: ParcelChange,
      response: ParcelResponse,
      detail: describe('Edit a parcel: freely while `created`, later as far as its carrier allows', 'editParcel'),
    })
    .delete(
      '/:id',
      async ({ parcel, set }) => {
        await deleteParcel(context, parcel)
        set.status = 204
      },
      {
        parcel: ['agent', 'parcels:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a parcel that is created or cancelled', 'deleteParcel'),
      },
    )
    .get('/:id/events', ({ project, params, query }) => readTimeline(sql, { projectId: project.id, id: params.id }, query), {
      project: ['viewer', 'parcels:read'],
      params: ById,
      query: T.Object(eventsQuery),
      response: List(ParcelEvent),
      detail: describe('List the timeline of a parcel, oldest first', 'listParcelEvents'),
    })
    .post(
      '/:id/submit',
      async ({ parcel, body, set }) => {
        await transaction(sql, (tx) => submitParcel(tx, parcel, { force: body?.force === true }))
        await wakeSenders(context)
        const after = await waitForOutcome(context, parcel, limits.sendWaitMs)
        if (after.status === 'cancelled') throw parcelErrors.parcelCancelled()
        const failure = submissionError(after)
        if (failure) throw failure
        respondPending(set, after)
        return presentSendingResponse(after)
      },
      {
        parcel: ['agent', 'parcels:write'],
        params: ById,
        body: T.Union([SubmitOptions, T.Null()]),
        response: { 200: ParcelResponse, 202: ParcelResponse },
        detail: describe('Submit a parcel to its carrier; 202 when that takes longer than ten seconds', 'submitParcel'),
      },
    )
    .post('/:id/cancel', async ({ parcel }) => ({ data: presentParcel(await cancelParcel(context, parcel)) }), {
      parcel: ['agent', 'parcels:write'],
      params: ById,
      response: ParcelResponse,
      detail: describe('Cancel a parcel: while `created`, or as long as its carrier allows', 'cancelParcel'),
    })
    .post(
      '/:id/outcome',
      async ({ parcel, body }) => {
        if (body.taken && !body.trackingId) throw parcelErrors.trackingMissing({ field: ['trackingId'] })
        return { data: presentParcel(await decideOutcome(context, parcel, { taken: body.taken }, body.trackingId)) }
      },
      {
        parcel: ['agent', 'parcels:write'],
        params: ById,
        body: OutcomeDecision,
        response: Data(Parcel),
        detail: describe('Decide whether the carrier has a parcel whose outcome is unknown', 'decideParcelOutcome'),
      },
    )
}
