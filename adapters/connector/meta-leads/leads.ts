import {
  AdapterError,
  assertOrderOf,
  count,
  type ExternalOrder,
  isRow,
  type LeadField,
  type LeadSetup,
  OrderProblem,
  type OrderReader,
  type OrderSource,
  type PullAsked,
  type Pulled,
  present,
  printed,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readOrderOf,
  readOrders,
  required,
  rows,
  text,
  typed,
  word,
} from 'serai/connector'
import type { Context } from './fields.ts'
import { readForms } from './forms.ts'
import { graph, listOf } from './graph.ts'

type Form = LeadSetup['forms'][number]

const FIELDS = 'id,created_time,ad_id,ad_name,adset_id,campaign_id,campaign_name,form_id,platform,field_data'
const AT_ONCE = 100
/** Period for which Meta keeps leads. */
const KEPT_MS = 90 * 86_400_000

/** Reads the leads of one form after the other. The cursor holds the form and the position in it. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const forms = await readForms(context)
  const [formId = '', after = ''] = cursor === null ? [] : (JSON.parse(cursor) as [string, string])
  const known = forms.findIndex((one) => one.formId === formId)
  // If the cursor's form was removed, all others are read from the start.
  const at = Math.max(0, known)
  const form = forms[at]
  if (!form) return testAccess(context)
  const from = Math.max(since === null ? 0 : Date.parse(since), context.now() - KEPT_MS)
  const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value: Math.floor(from / 1000) - 1 }])
  const query = { fields: FIELDS, filtering, limit: AT_ONCE, ...(known >= 0 && after && { after }) }
  const next = forms[at + 1]
  const page = await listOf(context, `${encodeURIComponent(form.formId)}/leads`, { query, token: context.credentials.pageToken }).catch(
    (error: unknown) => {
      // A deleted form does not block the others.
      if (!next || !(error instanceof AdapterError) || (error.reason !== 'refused' && error.reason !== 'not_found')) throw error
      context.log('left out a form that cannot be read', { formId: form.formId })
      return { rows: [], after: undefined }
    },
  )
  const goesOn = page.after === undefined ? next && [next.formId, ''] : [form.formId, page.after]
  return {
    ...readOrders(context, realLeads(context, page.rows), readerOf(context, form)),
    cursor: goesOn ? JSON.stringify(goesOn) : null,
  }
}

function realLeads({ log }: Context, leads: readonly Row[]): readonly Row[] {
  const meant = leads.filter(isRealLead)
  if (meant.length < leads.length) log('left out leads that a testing tool made up', { leads: leads.length - meant.length })
  return meant
}

/** Tests access when no forms are configured. */
async function testAccess(context: Context): Promise<Pulled> {
  await graph(context, 'me', { query: { fields: 'id' } })
  return { orders: [], cursor: null }
}

/** Reads a lead. An unreadable one throws: `null` would cancel its order. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const forms = await readForms(context)
  const lead = await graph(context, encodeURIComponent(externalId), {
    query: { fields: FIELDS },
    token: context.credentials.pageToken,
  }).catch((error: unknown) => {
    if (error instanceof AdapterError && error.reason === 'not_found')
      throw new AdapterError('refused', 'Meta does not have this lead any more.', error.upstream)
    throw error
  })
  const form = forms.find(({ formId }) => formId === word(lead.form_id))
  assertOrderOf('Meta', lead.id, externalId)
  return form && isRealLead(lead) ? readOrderOf(context, lead, readerOf(context, form)) : {}
}

const DUMMY = /^<test lead: dummy data for /

/** Returns false for leads of Meta's test tool. */
const isRealLead = (lead: Row): boolean =>
  !rows(lead.field_data).some(({ values }) => Array.isArray(values) && values.some((one) => DUMMY.test(String(one))))

const readerOf = (context: Context, form: Form): OrderReader<Row> => ({
  identify: ({ id }) => ({ externalId: id, number: `L-${word(id) ?? ''}`, status: 'open' }),
  read: (lead) => orderIn(context, form, lead),
})

/** Presents a lead as an order; throws `OrderProblem`. */
function orderIn({ settings }: Context, form: Form, lead: Row): ExternalOrder {
  const externalId = required(word(lead.id), 'It has no id.')
  const createdAt = required(timeIn(lead.created_time), 'It has no time. Call the customer, and write the order by hand.')
  const answers = new Map(
    rows(lead.field_data).flatMap(({ name, values }) => (text(name) === undefined ? [] : [[String(name), answerIn(values)] as const])),
  )
  const used = new Set<string>()
  const find = (field: LeadField, max: number) => answerFor(answers, form, field, used, max)
  const { name, phone, phoneAlt, email, country } = {
    name: find('name', 200) || fullName(answers, used),
    phone: find('phone', 60),
    phoneAlt: find('phoneAlt', 60),
    email: find('email', 254),
    country: find('country', 60),
  }
  const place = { state: find('state', 120), city: find('city', 120), address: find('address', 500) }
  const [pieces, said] = [piecesIn(find('quantity', 20)), find('note', 1000)]
  const isCountry = /^[A-Za-z]{2}$/.test(country)
  // Unmapped answers go into the notes as they are.
  if (!isCountry) used.delete(keyOf(answers, form, 'country') ?? '')
  const rest = [...answers].filter(([key, value]) => !used.has(key) && value !== '').map(([key, value]) => `${key}: ${value}`)
  const note = typed([said, ...rest].filter(Boolean).join('\n'), 2000)
  return {
    externalId,
    number: `L-${externalId}`.slice(0, 100),
    status: 'open',
    currency: settings.currency,
    customer: { name, ...present({ phone: phone || undefined, phoneAlt: phoneAlt || undefined, email: email || undefined }) },
    address: { ...(isCountry && { country }), ...place },
    items: [{ sku: `form:${form.formId}`, name: `Form ${form.formId}`, quantity: pieces, unitPrice: '0' }],
    total: '0',
    delivery: '0',
    unpriced: true,
    source: sourceOf(settings.pageId, form, lead),
    ...(note && { note }),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Reads the quantity: 1 without an answer. Throws `OrderProblem` for an answer that is no count. */
function piecesIn(answer: string): number {
  const pieces = answer === '' ? 1 : count(answer)
  if (pieces === undefined)
    throw new OrderProblem(
      `The quantity is “${answer}”; it must be a whole number from 1. Call the customer, or choose another field for it.`,
    )
  return pieces
}

/** Default questions of each field, used unless the configuration names them. */
const usual: Readonly<Record<LeadField, readonly string[]>> = {
  name: ['full_name', 'name'],
  phone: ['phone_number', 'phone'],
  phoneAlt: ['secondary_phone_number'],
  email: ['email'],
  country: ['country'],
  state: ['state', 'province'],
  city: ['city'],
  address: ['street_address', 'address'],
  quantity: ['quantity'],
  note: [],
}

function keyOf(answers: ReadonlyMap<string, string>, { fields = {} }: Form, field: LeadField): string | undefined {
  const keys = fields[field] === undefined ? usual[field] : [fields[field]]
  return keys.find((one) => answers.has(one))
}

function answerFor(answers: ReadonlyMap<string, string>, form: Form, field: LeadField, used: Set<string>, max: number): string {
  const key = keyOf(answers, form, field)
  if (key === undefined) return ''
  used.add(key)
  return typed(answers.get(key), max)
}

function fullName(answers: ReadonlyMap<string, string>, used: Set<string>): string {
  const keys = ['first_name', 'last_name'].filter((key) => answers.has(key))
  for (const key of keys) used.add(key)
  return typed(keys.map((key) => answers.get(key)).join(' '), 200)
}

const answerIn = (values: unknown): string =>
  Array.isArray(values) ? values.map((one) => (isRow(one) ? '' : String(one ?? ''))).join(', ') : ''

/** Parses a time such as `2026-11-20T10:00:00+0000`. */
function timeIn(value: unknown): string | undefined {
  const ms = Date.parse((text(value) ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

const sourceOf = (pageId: string | undefined, { formId }: Form, lead: Row): OrderSource =>
  present({
    pageId: printed(pageId, 60),
    formId: printed(formId, 60),
    campaignId: printed(lead.campaign_id, 60),
    campaignName: printed(lead.campaign_name, 200),
    adsetId: printed(lead.adset_id, 60),
    adId: printed(lead.ad_id, 60),
    adName: printed(lead.ad_name, 200),
    medium: printed(lead.platform, 60),
  })
