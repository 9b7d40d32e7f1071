import type { Static } from '@sinclair/typebox'
import { fit } from '../../../plugins/fit.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { findDraft, findStoreTemplate, rewritePageDraft, rewriteTemplate } from '../../shop/content/pages/page-drafts.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { actionErrors } from '../actions/actions.errors.ts'
import type { SuggestedChange } from '../actions/ai/ai.model.ts'
import { buildMessages, withModel } from '../actions/ai/ai.ts'
import { diffFields } from '../actions/ai/ai-changes.ts'
import { requestStructuredAnswer } from '../models/model-calls.ts'
import { landingErrors } from './landing.errors.ts'
import { LandingData, type LandingEdit, LandingTexts } from './landing.model.ts'
import { findLandingJobOfPage, updateLandingJob } from './landing.queries.ts'
import { renderSections } from './render.ts'
import { factsOf } from './run-job.ts'

type Data = Static<typeof LandingData>

/** Data to edit, and the function that writes the result. */
interface Subject {
  readonly data: Data
  write(next: Data): Promise<void>
}

const TASK =
  'Change the page of a shop as you are asked to. Answer all of it, with what is not to change as it is. Invent no opinions of customers and no prices.'

/**
 * Lets a model edit a template or a page of sections. Writes the result only with `apply`, else returns the suggested change. Throws
 * `not_found`, and `conflict` when it was changed meanwhile or has no known sections.
 */
export async function editLanding(
  context: Context,
  store: Store,
  input: LandingEdit,
  options: { readonly signal: AbortSignal },
): Promise<SuggestedChange> {
  const { instruction, model, apply = false } = input
  const { data, write } = await subjectOf(context, store, input)
  const { title, language, sections } = data
  const before = { title, language, sections }
  const edited = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestStructuredAnswer(context, owner, usable, buildMessages(TASK, instruction, before), LandingTexts, { ...options, name: 'page' }),
  )
  const found = diffFields(before, edited)
  if (!apply || found.changes.length === 0) return { ...found, applied: false }
  await write({ ...data, ...edited })
  return { ...found, applied: true }
}

const subjectOf = (context: Context, store: Store, { id }: LandingEdit): Promise<Subject> =>
  id.startsWith('pag_') ? pageOf(context, store, id) : templateOf(context, store, id)

/** Finds a template of the store. Templates of the platform cannot be edited. */
async function templateOf({ sql }: Context, store: Store, id: string): Promise<Subject> {
  const template = await findStoreTemplate(sql, store.projectId, id)
  if (!template) throw notFound('The template')
  const fitted = await fit(LandingData, template.data)
  if ('problem' in fitted) throw landingErrors.templateWithoutSections()
  return {
    data: template.data as Data,
    write: (next) =>
      transaction(sql, async (tx) => {
        if (!(await rewriteTemplate(tx, template, next))) throw actionErrors.changedMeanwhile()
      }),
  }
}

async function pageOf({ sql }: Context, store: Store, id: string): Promise<Subject> {
  const [page, job] = await Promise.all([findDraft(sql, store.projectId, id), findLandingJobOfPage(sql, store.projectId, id)])
  if (!page) throw notFound('The page')
  if (!job?.data) throw landingErrors.pageWithoutSections()
  const { data } = job
  if (sha256(page.content) !== job.digest) throw landingErrors.pageEditedByHand()
  return {
    data,
    async write(next) {
      const [product] = await findProducts(sql, store.projectId, [data.productId])
      if (!product) throw notFound('The product of the page')
      const content = renderSections(next, factsOf({ store, product }, job.pictures))
      await transaction(sql, async (tx) => {
        if (!(await rewritePageDraft(tx, page, { title: next.title, content }))) throw actionErrors.changedMeanwhile()
        await updateLandingJob(tx, job, { data: next, digest: sha256(content) })
      })
    },
  }
}
