import {
  AdapterError,
  type ExternalOrder,
  isRow,
  type LeadField,
  type LeadSetup,
  type OrderSource,
  type PullAsked,
  type Pulled,
  present,
  printed,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readable,
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
/** Meta keeps them so long. */
const KEPT_MS = 90 * 86_400_000

/** The answers of each form in turn; the cursor says which, and where in it. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const forms = await readForms(context)
  const [at = 0, after = ''] = cursor === null ? [] : (JSON.parse(cursor) as [number, string])
  const form = forms[at]
  if (!form) return forms.length === 0 ? askNothing(context) : { orders: [], cursor: null }
  const from = Math.max(since === null ? 0 : Date.parse(since), context.now() - KEPT_MS)
  const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value: Math.floor(from / 1000) - 1 }])
  const query = { fields: FIELDS, filtering, limit: AT_ONCE, ...(after && { after }) }
  const page = await listOf(context, `${encodeURIComponent(form.formId)}/leads`, { query, token: context.credentials.pageToken })
  const next = page.after === undefined ? [at + 1, ''] : [at, page.after]
  return {
    orders: readable(context, page.rows.filter(isMeant), (lead) => orderIn(context, form, lead)),
    cursor: Number(next[0]) < forms.length ? JSON.stringify(next) : null,
  }
}

/** Nobody has chosen forms yet; whether Meta lets us in is seen all the same. */
async function askNothing(context: Context): Promise<Pulled> {
  await graph(context, 'me', { query: { fields: 'id' } })
  return { orders: [], cursor: null }
}

/** A lead as it was given. One that cannot be read any more is not called off: it throws, and never says that it is not there. */
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
  return form && isMeant(lead) ? present({ order: orderIn(context, form, lead) }) : {}
}

const DUMMY = /^<test lead: dummy data for /

/** What Meta's own tool makes up is nobody's order. */
const isMeant = (lead: Row): boolean =>
  !rows(lead.field_data).some(({ values }) => Array.isArray(values) && values.some((one) => DUMMY.test(String(one))))

function orderIn({ settings }: Context, form: Form, lead: Row): ExternalOrder | undefined {
  const [externalId, createdAt] = [word(lead.id), timeIn(lead.created_time)]
  if (externalId === undefined || createdAt === undefined) return undefined
  const answers = new Map(
    rows(lead.field_data).flatMap(({ name, values }) => (text(name) === undefined ? [] : [[String(name), answerIn(values)] as const])),
  )
  const used = new Set<string>()
  const find = (field: LeadField, max: number) => found(answers, form, field, used, max)
  const { name, phone, phoneAlt, email, country } = {
    name: find('name', 200) || fullName(answers, used),
    phone: find('phone', 60),
    phoneAlt: find('phoneAlt', 60),
    email: find('email', 254),
    country: find('country', 60),
  }
  const place = { state: find('state', 120), city: find('city', 120), address: find('address', 500) }
  const [count, said] = [Number(find('quantity', 20)), find('note', 1000)]
  const quantity = Number.isInteger(count) && count >= 1 && count <= 100_000 ? count : 1
  const rest = [...answers].filter(([key, value]) => !used.has(key) && value !== '').map(([key, value]) => `${key}: ${value}`)
  const note = typed([said, ...rest].filter(Boolean).join('\n'), 2000)
  return {
    externalId,
    number: `L-${externalId}`.slice(0, 100),
    status: 'open',
    currency: settings.currency,
    customer: { name, ...present({ phone: phone || undefined, phoneAlt: phoneAlt || undefined, email: email || undefined }) },
    address: { ...(/^[A-Za-z]{2}$/.test(country) && { country }), ...place },
    items: [{ sku: `form:${form.formId}`, name: `Form ${form.formId}`, quantity, unitPrice: '0' }],
    total: '0',
    delivery: '0',
    unpriced: true,
    source: sourceOf(settings.pageId, form, lead),
    ...(note && { note }),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Which questions usually ask for it, where nobody said. */
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

function found(answers: ReadonlyMap<string, string>, { fields = {} }: Form, field: LeadField, used: Set<string>, max: number): string {
  const keys = fields[field] === undefined ? usual[field] : [fields[field]]
  const key = keys.find((one) => answers.has(one))
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

/** `2026-11-20T10:00:00+0000` */
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
