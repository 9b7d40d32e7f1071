import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { invariant } from '../../lib/invariant.ts'
import { addFile, presentFile } from '../../platform/files/files.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { addDraft } from '../../shop/content/pages/landing-work.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { messagesOf } from '../actions/ai/ai.ts'
import { keepPicture } from '../images/keep.ts'
import { draw, structured } from '../models/ask.ts'
import { usableModel } from '../models/usable.ts'
import { LandingWords, PictureWords } from './landing.model.ts'
import { type JobRow, lockOpenJob, updateJob } from './landing.queries.ts'
import { type Facts, renderPictures, renderSections } from './render.ts'

const LONGEST_MS = 300_000
const BROKE = 'It could not be made. Ask for it again.'

/** Somebody else works at the same job, and is further: what this one made is thrown away. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/** What is worked with, and can be cancelled. */
interface Making {
  readonly context: Context
  readonly store: Store
  readonly product: Awaited<ReturnType<typeof findProducts>>[number]
  readonly signal: AbortSignal
}

/** Makes what was asked for, or what is left of it where its process died. */
export async function makeLanding(context: Context, jobId: string, signal: AbortSignal): Promise<void> {
  const { sql } = context
  const begun = await transaction(sql, async (tx) => {
    const job = await lockOpenJob(tx, jobId)
    if (job) await updateJob(tx, jobId, { status: 'running' })
    return job
  })
  if (!begun) return
  try {
    const store = await findStore(sql, begun.storeId)
    const [product] = await findProducts(sql, begun.storeId, [begun.productId])
    if (!store || !product) throw notFound('The product')
    await makeFrom({ context, store, product, signal }, begun)
  } catch (error) {
    if (error instanceof Overtaken) return
    // Whoever is shut down leaves it to whoever takes it up.
    if (signal.aborted) throw error
    const told = error instanceof AdapterFailure || error instanceof ApiError ? error.message : null
    if (told === null) context.log.warn({ err: error, jobId }, 'a page could not be made')
    await transaction(sql, async (tx) => {
      if (await lockOpenJob(tx, jobId))
        await updateJob(tx, jobId, { status: 'failed', failure: told ?? BROKE, finishedAt: new Date().toISOString() })
    })
  }
}

async function makeFrom(making: Making, job: JobRow): Promise<void> {
  if (job.kind === 'picture_page') return makePicturePage(making, job)
  const words = job.data ?? (await writeWords(making, job))
  const titles = words.sections.map(({ title }) => title || words.title)
  const prompts = Array.from({ length: job.asked.pictures }, (_, at) => titles[at % titles.length] ?? words.title)
  const drawn = await drawAll(making, job, prompts)
  if (job.kind === 'template') return end(making, job, {})
  await end(making, job, { title: words.title, content: renderSections(words, factsOf(making, drawn)) })
}

async function writeWords(making: Making, { id, asked }: JobRow): Promise<LandingWords> {
  const task = `Write the page of a shop that sells this one product: sections in a good order, in ${languageOf(asked)}. Promise nothing that the product does not say, and invent no opinions of customers and no prices.`
  const words = { ...(await askModel(making, asked, task, LandingWords)), ...(asked.language && { language: asked.language }) }
  await noteFirst(making, id, { data: { productId: making.product.id, ...words } }, ({ data }) => data === null)
  return words
}

async function makePicturePage(making: Making, job: JobRow): Promise<void> {
  const { title, language, pictures } = job.asked.plan ?? (await planPictures(making, job))
  const prompts = pictures.map(({ prompt }) => prompt)
  const drawn = await drawAll(making, job, prompts)
  const shown = drawn.map((url, at) => ({ url, alt: pictures[at]?.alt ?? title }))
  await end(making, job, { title, content: renderPictures(title, language, shown) })
}

async function planPictures(making: Making, { id, asked }: JobRow) {
  const task = `Say what stands in each of ${asked.pictures} pictures that sell this one product one below the other, as a prompt for whoever draws them, and what each shows, in ${languageOf(asked)}.`
  const plan = {
    ...(await askModel(making, asked, task, PictureWords(asked.pictures))),
    ...(asked.language && { language: asked.language }),
  }
  await noteFirst(making, id, { asked: { ...asked, plan } }, (now) => now.asked.plan === undefined)
  return plan
}

const names = { ar: 'Arabic', fr: 'French', en: 'English' } as const
const languageOf = ({ language = 'ar' }: JobRow['asked']) => names[language]

async function askModel<S extends Parameters<typeof structured>[4]>(
  { context, store, product, signal }: Making,
  asked: JobRow['asked'],
  task: string,
  schema: S,
) {
  const owner = { storeId: store.id }
  const usable = await usableModel(context, owner, asked.model, 'text')
  const { name, description, tags, options } = product
  const about = { name, description, tags, options, currency: store.currencyCode, price: Number(product.price) }
  const messages = messagesOf(task, asked.instructions || 'Make it.', about)
  return structured(context, owner, usable, messages, schema, { signal, deadlineMs: LONGEST_MS, name: 'page' })
}

/** Each picture is kept, and noted with what else was made by now, before the next is drawn. */
async function drawAll(
  { context, store, product, signal }: Making,
  { id, asked, pictures }: JobRow,
  prompts: readonly string[],
): Promise<string[]> {
  const owner = { storeId: store.id }
  const drawn = [...pictures]
  for (const prompt of prompts.slice(drawn.length)) {
    const usable = await usableModel(context, owner, invariant(asked.pictureModel, 'Who draws'), 'image')
    const drawing = { prompt: `${product.name}: ${prompt}`, size: 'portrait' as const, count: 1 }
    const {
      images: [image],
    } = await draw(context, owner, usable, drawing, { signal, deadlineMs: LONGEST_MS })
    if (!image) throw new ApiError('adapter_refused', 'The model drew nothing. Say it in other words.')
    const file = await keepPicture(context, store.id, image, `landing-${drawn.length + 1}`)
    await transaction(context.sql, async (tx) => {
      if ((await lockOpenJob(tx, id))?.pictures.length !== drawn.length) throw new Overtaken()
      drawn.push(presentFile(context, await addFile(context, tx, { storeId: store.id, userId: null }, file)).url)
      await updateJob(tx, id, { pictures: drawn })
    })
  }
  return drawn
}

/** Notes what was made, where nobody else has by now. */
const noteFirst = ({ context }: Making, id: string, change: Partial<JobRow>, isFirst: (now: JobRow) => boolean) =>
  transaction(context.sql, async (tx) => {
    const now = await lockOpenJob(tx, id)
    if (!now || !isFirst(now)) throw new Overtaken()
    await updateJob(tx, id, change)
  })

/** What of a page is the shop's own. */
export const factsOf = ({ store, product }: Pick<Making, 'store' | 'product'>, drawn: readonly string[]): Facts => ({
  name: product.name,
  price: `${Number(product.price)} ${store.currencyCode}`,
  images: product.media.flatMap((one) => (one.kind === 'image' ? [one.url] : [])),
  drawn,
})

/** The page, where there is to be one, and the end of the job, in one: whoever comes a second time finds it over. */
const end = (
  { context, store, product }: Making,
  { id }: JobRow,
  { title, content }: { title?: string; content?: string },
): Promise<void> =>
  transaction(context.sql, async (tx) => {
    if (!(await lockOpenJob(tx, id))) return
    const over = { status: 'completed' as const, finishedAt: new Date().toISOString() }
    if (title === undefined || content === undefined) return void (await updateJob(tx, id, over))
    const pageId = await addDraft(tx, { storeId: store.id, title, slug: product.slug, content })
    await updateJob(tx, id, { ...over, pageId, digest: sha256(content) })
  })
