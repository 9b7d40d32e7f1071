import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import { assertRate } from '../../http/concurrency.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { assertRoom } from '../../platform/files/files.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { resolveModel } from '../models/available-models.ts'
import { consumeImageQuota } from '../models/image-quota.ts'
import { landingErrors } from './landing.errors.ts'
import type { LandingInput, LandingJob } from './landing.model.ts'
import {
  countOpenLandingJobs,
  insertLandingJob,
  type LandingJobRequest,
  type LandingJobRow,
  lockLandingJobsOfProject,
} from './landing.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'landing.generate': { readonly jobId: string }
    'landing.sweep': Record<string, unknown>
    'landing.deleteExpired': Record<string, unknown>
  }
}

/** Requests of one store in a minute. */
const PER_MINUTE = 20
/** Unfinished jobs that a store may have. */
const OPEN_MAX = 5

/**
 * Checks a request for a page and chooses its models. Counts its images against the hourly limit. Throws `not_found` for an unknown product
 * or model, `conflict` when no model fits, `limit_reached` for too many open jobs or no space for files, `rate_limited`.
 */
export async function prepareLandingJob(context: Context, store: Store, input: LandingInput, pictures: number): Promise<LandingJobRequest> {
  await assertRate(context, `landing:${store.id}`, PER_MINUTE)
  // Checked first: a refused request must not use up the limit.
  if ((await countOpenLandingJobs(context.sql, store.projectId)) >= OPEN_MAX) throw tooManyJobs()
  if (!(await findProducts(context.sql, store.projectId, [input.productId]))[0]) throw notFound('The product')
  const { model, pictureModel, instructions, language } = input
  const owner = { storeId: store.id }
  const writer = await resolveModel(context, owner, model, 'text')
  const painter = pictures > 0 ? await resolveModel(context, owner, pictureModel, 'image') : null
  if (painter) {
    await assertRoom(context, { storeId: store.id, userId: null }, 0)
    await consumeImageQuota(context, store.id, painter, pictures)
  }
  return {
    model: writer.id,
    pictureModel: painter?.id ?? null,
    pictures,
    ...(instructions !== undefined && { instructions }),
    ...(language !== undefined && { language }),
  }
}

/** Inserts a job and enqueues it. Throws `limit_reached`. */
export async function enqueueLandingJob(
  tx: Tx,
  store: Store,
  kind: LandingJobRow['kind'],
  productId: string,
  asked: LandingJobRequest,
): Promise<LandingJob> {
  await lockLandingJobsOfProject(tx, store.projectId)
  if ((await countOpenLandingJobs(tx, store.projectId)) >= OPEN_MAX) throw tooManyJobs()
  const job = await insertLandingJob(tx, { id: newId('lnd'), projectId: store.projectId, kind, productId, asked })
  await enqueue(tx, 'landing.generate', { jobId: job.id }, { owner: store.projectId })
  return presentLandingJob(job)
}

const tooManyJobs = () => landingErrors.tooManyPagesUnderWay({ openMax: OPEN_MAX })

/** API view of a job, with its progress in steps: the texts, each image, and the page. */
export function presentLandingJob({
  id,
  projectId,
  kind,
  status,
  asked,
  data,
  pictures,
  pageId,
  failure,
  createdAt,
  finishedAt,
}: LandingJobRow): LandingJob {
  const total = 1 + asked.pictures + (kind === 'template' ? 0 : 1)
  const done = status === 'completed' ? total : (data === null && kind !== 'picture_page' ? 0 : 1) + pictures.length
  return {
    id,
    storeId: storeIdOf(projectId),
    kind,
    status,
    progress: { done: Math.min(done, total), total },
    data,
    pictures,
    pageId,
    failure,
    createdAt,
    finishedAt,
  }
}
