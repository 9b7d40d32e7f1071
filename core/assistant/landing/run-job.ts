import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { addFile, presentFile } from '../../platform/files/files.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { createPageDraft } from '../../shop/content/pages/page-drafts.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { buildMessages } from '../actions/ai/ai.ts'
import { storeGeneratedImage } from '../images/store-image.ts'
import { resolveModel } from '../models/available-models.ts'
import { generateImages, requestStructuredAnswer } from '../models/model-calls.ts'
import { landingErrors } from './landing.errors.ts'
import { LandingTexts, picturePlanSchema } from './landing.model.ts'
import { findLandingJobKey, type LandingJobKey, type LandingJobRow, lockOpenLandingJob, updateLandingJob } from './landing.queries.ts'
import { type PageFacts, renderPictures, renderSections } from './render.ts'

const LONGEST_MS = 300_000
const INTERNAL_FAILURE = 'It could not be made. Ask for it again.'

/** Thrown when another process works on the same job and is ahead. The result of this one is discarded. */
class JobOvertaken extends Error {
  override readonly name = 'JobOvertaken'
}

/** Store, product and signal of a running job. */
interface JobContext {
  readonly context: Context
  readonly store: Store
  readonly product: Awaited<ReturnType<typeof findProducts>>[number]
  readonly signal: AbortSignal
}

/** Runs a job, or continues it after its process has died. Stores the failure as a message for the user. */
export async function runLandingJob(context: Context, jobId: string, signal: AbortSignal): Promise<void> {
  const { sql } = context
  const begun = await transaction(sql, async (tx) => {
    const key = await findLandingJobKey(tx, jobId)
    const job = key && (await lockOpenLandingJob(tx, key))
    if (job) await updateLandingJob(tx, job, { status: 'running' })
    return job
  })
  if (!begun) return
  try {
    const store = await findStore(sql, storeIdOf(begun.projectId))
    const [product] = store ? await findProducts(sql, store.projectId, [begun.productId]) : []
    if (!store || !product) throw notFound('The product')
    await generate({ context, store, product, signal }, begun)
  } catch (error) {
    if (error instanceof JobOvertaken) return
    // On shutdown the job queue runs the job again in another process.
    if (signal.aborted) throw error
    const publicMessage = error instanceof DomainError ? describeError(error) : error instanceof AdapterFailure ? error.message : null
    if (publicMessage === null) context.log.warn({ err: error, jobId }, 'a page could not be made')
    await transaction(sql, async (tx) => {
      if (await lockOpenLandingJob(tx, begun))
        await updateLandingJob(tx, begun, {
          status: 'failed',
          failure: publicMessage ?? INTERNAL_FAILURE,
          finishedAt: new Date().toISOString(),
        })
    })
  }
}

async function generate(jobContext: JobContext, job: LandingJobRow): Promise<void> {
  if (job.kind === 'picture_page') return makePicturePage(jobContext, job)
  const words = job.data ?? (await writeWords(jobContext, job))
  const titles = words.sections.map(({ title }) => title || words.title)
  const prompts = Array.from({ length: job.asked.pictures }, (_, at) => titles[at % titles.length] ?? words.title)
  const drawn = await drawPictures(jobContext, job, prompts)
  if (job.kind === 'template') return finishJob(jobContext, job, {})
  await finishJob(jobContext, job, { title: words.title, content: renderSections(words, factsOf(jobContext, drawn)) })
}

async function writeWords(jobContext: JobContext, job: LandingJobRow): Promise<LandingTexts> {
  const { asked } = job
  const task = `Write the page of a shop that sells this one product: sections in a good order, in ${languageOf(asked)}. Promise nothing that the product does not say, and invent no opinions of customers and no prices.`
  const words = { ...(await askModel(jobContext, asked, task, LandingTexts)), ...(asked.language && { language: asked.language }) }
  await recordOnce(jobContext, job, { data: { productId: jobContext.product.id, ...words } }, ({ data }) => data === null)
  return words
}

async function makePicturePage(jobContext: JobContext, job: LandingJobRow): Promise<void> {
  const { title, language, pictures } = job.asked.plan ?? (await planPictures(jobContext, job))
  const prompts = pictures.map(({ prompt }) => prompt)
  const drawn = await drawPictures(jobContext, job, prompts)
  const shown = drawn.map((url, at) => ({ url, alt: pictures[at]?.alt ?? title }))
  await finishJob(jobContext, job, { title, content: renderPictures(title, language, shown) })
}

async function planPictures(jobContext: JobContext, job: LandingJobRow) {
  const { asked } = job
  const task = `Say what stands in each of ${asked.pictures} pictures that sell this one product one below the other, as a prompt for the image model, and what each shows, in ${languageOf(asked)}.`
  const plan = {
    ...(await askModel(jobContext, asked, task, picturePlanSchema(asked.pictures))),
    ...(asked.language && { language: asked.language }),
  }
  await recordOnce(jobContext, job, { asked: { ...asked, plan } }, (now) => now.asked.plan === undefined)
  return plan
}

const names = { ar: 'Arabic', fr: 'French', en: 'English' } as const
const languageOf = ({ language = 'ar' }: LandingJobRow['asked']) => names[language]

async function askModel<S extends Parameters<typeof requestStructuredAnswer>[4]>(
  { context, store, product, signal }: JobContext,
  asked: LandingJobRow['asked'],
  task: string,
  schema: S,
) {
  const owner = { storeId: store.id }
  const usable = await resolveModel(context, owner, asked.model, 'text')
  const { name, description, tags, options } = product
  const about = { name, description, tags, options, currency: store.currencyCode, price: Number(product.price) }
  const messages = buildMessages(task, asked.instructions || 'Make it.', about)
  return requestStructuredAnswer(context, owner, usable, messages, schema, { signal, deadlineMs: LONGEST_MS, name: 'page' })
}

/** Generates the missing images. Stores each one before the next, so that a restart continues there. */
async function drawPictures(
  { context, store, product, signal }: JobContext,
  job: LandingJobRow,
  prompts: readonly string[],
): Promise<string[]> {
  const { asked, pictures } = job
  const owner = { storeId: store.id }
  const drawn = [...pictures]
  for (const prompt of prompts.slice(drawn.length)) {
    const usable = await resolveModel(context, owner, invariant(asked.pictureModel, 'The image model of the job'), 'image')
    const drawing = { prompt: `${product.name}: ${prompt}`, size: 'portrait' as const, count: 1 }
    const {
      images: [image],
    } = await generateImages(context, owner, usable, drawing, { signal, deadlineMs: LONGEST_MS })
    if (!image) throw landingErrors.noPictureReturned()
    const file = await storeGeneratedImage(context, store.id, image, `landing-${drawn.length + 1}`)
    await transaction(context.sql, async (tx) => {
      if ((await lockOpenLandingJob(tx, job))?.pictures.length !== drawn.length) throw new JobOvertaken()
      drawn.push(presentFile(context, await addFile(context, tx, { storeId: store.id, userId: null }, file)).url)
      await updateLandingJob(tx, job, { pictures: drawn })
    })
  }
  return drawn
}

/** Stores an intermediate result, unless another process has stored one. */
const recordOnce = (
  { context }: JobContext,
  job: LandingJobKey,
  change: Partial<LandingJobRow>,
  isFirst: (now: LandingJobRow) => boolean,
) =>
  transaction(context.sql, async (tx) => {
    const now = await lockOpenLandingJob(tx, job)
    if (!now || !isFirst(now)) throw new JobOvertaken()
    await updateLandingJob(tx, job, change)
  })

/** Collects the facts of a page that come from the shop: name, price and images. */
export const factsOf = ({ store, product }: Pick<JobContext, 'store' | 'product'>, drawn: readonly string[]): PageFacts => ({
  name: product.name,
  price: `${Number(product.price)} ${store.currencyCode}`,
  images: product.media.flatMap((one) => (one.kind === 'image' ? [one.url] : [])),
  generatedImages: drawn,
})

/** Adds the page, if there is one, and ends the job in one transaction. Does nothing when the job has ended already. */
const finishJob = (
  { context, store, product }: JobContext,
  job: LandingJobKey,
  { title, content }: { title?: string; content?: string },
): Promise<void> =>
  transaction(context.sql, async (tx) => {
    if (!(await lockOpenLandingJob(tx, job))) return
    const over = { status: 'completed' as const, finishedAt: new Date().toISOString() }
    if (title === undefined || content === undefined) return void (await updateLandingJob(tx, job, over))
    const pageId = await createPageDraft(tx, { projectId: store.projectId, title, slug: product.slug, content })
    await updateLandingJob(tx, job, { ...over, pageId, digest: sha256(content) })
  })
