import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type CreationRequest, createOnce, findPreviousResponse } from '../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../http/openapi/operation.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { capture } from '../../lib/async/capture.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { SuggestedChange } from '../actions/ai/ai.model.ts'
import { editLanding } from './edit.ts'
import { enqueueLandingJob, prepareLandingJob, presentLandingJob } from './enqueue-job.ts'
import { LandingEdit, type LandingInput, LandingJob, NewPage, NewPicturePage, NewTemplate } from './landing.model.ts'
import { findLandingJob } from './landing.queries.ts'

const describe = tagOperations('Actions')
const describeCreation = (summary: string, operationId: string) => ({
  ...describe(summary, operationId),
  parameters: [idempotencyKeyHeader],
})
const PICTURES = 3

type LandingCreation = CreationRequest & { readonly store: Store; readonly body: LandingInput }
type Begun = { data: LandingJob }

/** Starts a job, once for each idempotency key. */
async function startJob(context: Context, creation: LandingCreation, kind: LandingJob['kind'], pictures: number): Promise<Begun> {
  // Looks up a repeated request first, so that it is not counted twice and needs no model.
  const made = (await findPreviousResponse<Begun>(context, creation)) ?? (await createJob(context, creation, kind, pictures))
  creation.set.status = 202
  return made
}

async function createJob(context: Context, creation: LandingCreation, kind: LandingJob['kind'], pictures: number): Promise<Begun> {
  const { store, body } = creation
  const asked = await capture(prepareLandingJob(context, store, body, pictures))
  return createOnce(context, creation, async (tx) => ({ data: await enqueueLandingJob(tx, store, kind, body.productId, asked()) }))
}

/** Routes that generate landing pages by jobs, and edit them. */
export const landing = (context: Context) =>
  new Elysia({ name: 'landing pages', prefix: '/v1/actions' })
    .use(context.authority)
    .post('/generateProductLandingPageTemplateData', (creation) => startJob(context, creation, 'template', 0), {
      store: ['admin', 'stores:write'],
      body: NewTemplate,
      response: { 202: Data(LandingJob) },
      detail: describeCreation('Generate the data of a template for a product', 'generateProductLandingPageTemplateData'),
    })
    .post('/generateAiLandingPage', (creation) => startJob(context, creation, 'page', creation.body.pictures ?? 0), {
      store: ['admin', 'stores:write'],
      body: NewPage,
      response: { 202: Data(LandingJob) },
      detail: describeCreation('Generate a page for a product, as a draft', 'generateAiLandingPage'),
    })
    .post('/generateImageLandingPage', (creation) => startJob(context, creation, 'picture_page', creation.body.pictures ?? PICTURES), {
      store: ['admin', 'stores:write'],
      body: NewPicturePage,
      response: { 202: Data(LandingJob) },
      detail: describeCreation('Generate a page of pictures for a product, as a draft', 'generateImageLandingPage'),
    })
    .get(
      '/getAiLandingPageJobStatus',
      async ({ store, query }) => {
        const job = await findLandingJob(context.sql, store.projectId, query.jobId)
        if (!job) throw notFound('The job')
        return { data: presentLandingJob(job) }
      },
      {
        store: ['viewer', 'stores:read'],
        query: T.Object({ storeId: T.Optional(Id), jobId: Id }),
        response: Data(LandingJob),
        detail: describe('Read the progress of a page or template', 'getAiLandingPageJobStatus'),
      },
    )
    .post(
      '/editTemplatePageUsingAi',
      async ({ store, body, request }) => ({ data: await editLanding(context, store, body, { signal: request.signal }) }),
      {
        store: ['admin', 'stores:write'],
        body: LandingEdit,
        response: Data(SuggestedChange),
        detail: describe('Edit a template or a page by an instruction; only suggested, or applied', 'editTemplatePageUsingAi'),
      },
    )
