import {
  AdapterError,
  type FormsAsked,
  isRow,
  type LeadForm,
  type LeadPage,
  type LeadSetup,
  number,
  present,
  printed,
  rows,
  type SetUp,
  text,
  word,
} from 'serai/connector'
import type { Context } from './fields.ts'
import { writeForms } from './forms.ts'
import { allOf, graph } from './graph.ts'

const PAGES_MAX = 200
const FORMS_MAX = 500
const QUESTIONS_MAX = 100

export async function pages(context: Context): Promise<LeadPage[]> {
  const found = await allOf(context, 'me/accounts', { query: { fields: 'id,name' } }, PAGES_MAX)
  return found.flatMap(({ id, name }) => (word(id) === undefined ? [] : [{ id: String(id), name: printed(name, 300) ?? String(id) }]))
}

/** Returns the page's token, which lasts as long as the user's. */
async function tokenOf(context: Context, pageId: string): Promise<string> {
  const found = await allOf(context, 'me/accounts', { query: { fields: 'id,access_token' } }, PAGES_MAX)
  const token = text(found.find(({ id }) => word(id) === pageId)?.access_token)
  if (token === undefined) throw new AdapterError('not_found', 'The signed-in user does not manage this page.')
  return token
}

export async function forms(context: Context, { pageId }: FormsAsked): Promise<LeadForm[]> {
  const query = { fields: 'id,name,status,leads_count,questions{key,label,type}' }
  const found = await allOf(
    context,
    `${encodeURIComponent(pageId)}/leadgen_forms`,
    { query, token: await tokenOf(context, pageId) },
    FORMS_MAX,
  )
  return found.flatMap((form) => {
    const id = word(form.id)
    if (id === undefined) return []
    const questions = rows(form.questions).flatMap(({ key, label, type }) => {
      const known = printed(key, 200)
      return known === undefined ? [] : [{ key: known, ...present({ label: printed(label, 500), type: printed(type, 60) }) }]
    })
    const leads = number(form.leads_count)
    return [
      {
        id,
        name: printed(form.name, 300) ?? id,
        questions: questions.slice(0, QUESTIONS_MAX),
        ...present({ status: printed(form.status, 60), leads: leads !== undefined && leads >= 0 ? Math.trunc(leads) : undefined }),
      },
    ]
  })
}

/** Subscribes to the leads of the page, and stores the forms whose leads become orders. */
export async function configure(context: Context, { pageId, forms: wanted }: LeadSetup): Promise<SetUp> {
  const pageToken = await tokenOf(context, pageId)
  await subscribeToLeads(context, pageId, pageToken)
  await writeForms(context, wanted)
  return { credentials: { pageToken }, settings: { pageId } }
}

const FIELD = 'leadgen'
const appsOf = (pageId: string) => `${encodeURIComponent(pageId)}/subscribed_apps`

/** Subscribes the page, not the whole app, to leads. Returns true when it was not subscribed before. */
async function subscribeToLeads(context: Context, pageId: string, token: string): Promise<boolean> {
  const { data } = await graph(context, appsOf(pageId), { token })
  const isThere = rows(data).some(({ id, subscribed_fields: fields }) => {
    const isOurs = context.credentials.clientId === undefined || word(id) === context.credentials.clientId
    return isOurs && Array.isArray(fields) && fields.some((field) => field === FIELD || (isRow(field) && field.name === FIELD))
  })
  if (!isThere) await graph(context, appsOf(pageId), { method: 'POST', query: { subscribed_fields: FIELD }, token })
  return !isThere
}

function configuredPage({ settings: { pageId }, credentials: { pageToken } }: Context): { pageId: string; pageToken: string } {
  if (pageId === undefined || pageId === '' || !pageToken)
    throw new AdapterError('refused', 'Nobody has said yet which page: POST …/configure does.')
  return { pageId, pageToken }
}

export async function subscribe(context: Context) {
  const { pageId, pageToken } = configuredPage(context)
  return { revived: (await subscribeToLeads(context, pageId, pageToken)) ? 1 : 0 }
}

/** Ends the subscription of the page to leads. */
export async function unsubscribe(context: Context): Promise<void> {
  const { pageId, pageToken } = configuredPage(context)
  await graph(context, appsOf(pageId), { method: 'DELETE', token: pageToken })
}
