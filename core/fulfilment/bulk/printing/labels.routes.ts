import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { type CreationRequest, createOnce, findPreviousResponse } from '../../../http/idempotency.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id } from '../../../http/schema.ts'
import { invariant } from '../../../lib/invariant.ts'
import { storeItemMacro } from '../../../shop/stores/authority.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { PriceSource } from '../../dispatch/prices.ts'
import { BulkJob, LabelsRequest } from '../bulk.model.ts'
import { createJob, prepareJob } from '../create-job.ts'
import { findJob } from '../jobs.queries.ts'
import { presentJob } from '../present-job.ts'
import { runJob } from '../run-job.ts'
import { readDocument } from './documents.ts'

const describe = tagOperations('Orders')
/** Labels up to which a document is printed before the answer, and not in the background. */
const INLINE_LABELS_MAX = 50
const pdfResponse = {
  responses: {
    200: { description: 'The labels as PDF.', content: { 'application/pdf': { schema: { type: 'string' as const, format: 'binary' } } } },
  },
}

/** Request for the labels of orders. */
interface LabelsCreation extends CreationRequest {
  readonly caller: Principal
  readonly store: Store
  readonly body: LabelsRequest
}

/** Starts a job that prints labels, and runs it before the answer if they are few. */
async function printOnce(context: Context, prices: PriceSource, creation: LabelsCreation): Promise<{ data: BulkJob }> {
  const { caller, store, request } = creation
  const { storeId: _, orderIds: ids, ...options } = creation.body
  const prepared = await prepareJob(context, caller, store, { ids, action: { type: 'print', ...options } })
  const isInline = prepared.rows.length <= INLINE_LABELS_MAX
  return createOnce(
    context,
    creation,
    async (tx) => ({ data: await createJob(tx, store, prepared, { isInline }) }),
    async ({ data }) => {
      if (isInline) await runJob(context, prices, { projectId: store.projectId, id: data.id }, request.signal)
      return { data: presentJob(invariant(await findJob(context.sql, data.id), 'A job that was made')) }
    },
  )
}

/** Routes that print the labels of orders as one document, whatever their carriers are. */
export const orderLabelRoutes = (context: Context, prices: PriceSource) =>
  new Elysia({ name: 'order labels', prefix: '/v1/orders' })
    .use(context.authority)
    .macro(
      'printing',
      storeItemMacro(context, 'printing', (id) => findJob(context.sql, id)),
    )
    .post(
      '/labels',
      async (creation) => {
        const answer = (await findPreviousResponse<{ data: BulkJob }>(context, creation)) ?? (await printOnce(context, prices, creation))
        creation.set.status = answer.data.status === 'completed' ? 201 : 202
        return answer
      },
      {
        store: ['agent', 'orders:write', 'parcels'],
        body: LabelsRequest,
        response: { 201: Data(BulkJob), 202: Data(BulkJob) },
        detail: {
          ...describe('Print the labels of up to 500 orders of any carriers as one document', 'printOrderLabels'),
          description:
            'Up to 50 labels are printed before the answer; more answer 202, and the job shows the progress. Then `GET /v1/orders/bulk/{id}/labels.pdf` has the document. The labels of each carrier lie together. Orders without a label are rows that failed.',
        },
      },
    )
    .get(
      '/bulk/:id/labels.pdf',
      async ({ printing }) =>
        new Response(Buffer.from(await readDocument(context, printing)), {
          headers: {
            'content-type': 'application/pdf',
            'content-disposition': 'inline; filename="labels.pdf"',
            'cache-control': 'private, no-store',
          },
        }),
      {
        printing: ['agent', 'orders:write', 'parcels'],
        params: T.Object({ id: Id }),
        detail: { ...describe('Download the labels that a job printed; they are kept for a day', 'downloadOrderLabels'), ...pdfResponse },
      },
    )
