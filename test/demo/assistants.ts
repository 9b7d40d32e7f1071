import { DAY_MS } from '../../core/lib/durations.ts'
import type { Order } from '../../core/orders/orders.model.ts'
import type { Api } from './api.ts'
import { openBranch } from './branch.ts'
import { sandbox } from './carriers.ts'
import type { Check } from './report.ts'
import type { Shop } from './shop.ts'
import { waitFor } from './wait-for.ts'

/** Time zone of the store. */
const ZONE = 'Africa/Algiers'
const BETTER = 'Baskets of palm leaves, woven by hand in Ghardaia.'

/** Uses the assistant in a fifth store: the sandbox model corrects a description, reports today's deliveries, draws, and makes a page. */
export async function askAssistants(api: Api, { owner }: Shop, say: (line: string) => void): Promise<readonly Check[]> {
  const as = owner.token
  const store = await openBranch(api, as, 'Boutique Amina, assisted')
  const { id: productId } = await store.product<{ id: string }>({ name: 'Basket', sku: 'BASKET', price: 2_500, initialStock: 10 })
  await store.connect('sandbox-model', {})
  const orderId = await deliverOne(api, store, productId)

  const description = async () => (await api.get<{ description: string | null }>(`/v1/products/${productId}`, as)).description
  const instruction = `Say it better: ${JSON.stringify({ description: BETTER })}`
  const correct = (apply: boolean) =>
    api.post<{ applied: boolean; changes: { field: string; after: unknown }[] }>('/v1/actions/updateProductUsingAi', {
      as,
      body: { storeId: store.storeId, productId, instruction, apply },
    })
  const shown = await correct(false)
  const untouched = await description()
  const applied = await correct(true)

  const today = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' }).format()
  const talk = await ask(
    api,
    as,
    store.storeId,
    `What was delivered today? call order_figures ${JSON.stringify({ from: yesterdayOf(today), to: today })}`,
  )
  const figures = talk.find(({ role, tool }) => role === 'tool' && tool === 'order_figures')
  const answer = talk.findLast(({ role }) => role === 'assistant')

  const picture = await draw(api, as, store.storeId)
  const bytes = await fetch(new URL(picture.images[0] ?? '', api.origin)).then((answered) => answered.arrayBuffer())
  const page = await makePage(api, as, store.storeId, productId)
  say(
    `The assistant corrected a description, looked up the delivered order ${orderId}, drew a picture of ${bytes.byteLength} bytes, and made a page`,
  )
  const so = (name: string, isSo: boolean): Check => ({ name, isSo })
  return [
    so(
      'a description was changed only after its preview was applied',
      shown.changes.some(({ field, after }) => field === 'description' && after === BETTER) &&
        !shown.applied &&
        untouched !== BETTER &&
        applied.applied &&
        (await description()) === BETTER,
    ),
    so(
      'the assistant looked up the deliveries and reported them',
      figures?.text.includes('"delivered":1') === true && answer?.text.includes('delivered') === true,
    ),
    so('a picture was drawn and stored', picture.status === 'done' && new DataView(bytes).getUint32(0) === PNG),
    so(
      'a page was created as a draft, with the price of the store and without markup of the model',
      !page.published && page.content.includes('2500 DZD') && page.content.includes('&lt;b&gt;by hand&lt;/b&gt;'),
    ),
  ]
}

/** First four bytes of a PNG file. */
const PNG = 0x89504e47
const yesterdayOf = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)

async function deliverOne(api: Api, store: Awaited<ReturnType<typeof openBranch>>, productId: string): Promise<string> {
  const carrier = sandbox()
  await store.connect(carrier.key, carrier.connection.credentials)
  const order = await store.order(productId)
  await api.call('PATCH', `/v1/orders/${order.id}`, { as: store.key, body: { status: 'confirmed' } })
  const { trackingId } = await store.send(order.id)
  const { headers, body } = carrier.callback([{ trackingId, stage: 'delivered', at: new Date().toISOString() }])
  await fetch(`${api.origin}/v1/stores/${store.storeId}/integrations/${carrier.key}/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await waitFor(async () => ((await api.get<Order>(`/v1/orders/${order.id}`, store.key)).status === 'delivered' ? order : undefined))
  return order.reference ?? order.id
}

interface ChatMessage {
  readonly role: string
  readonly text: string
  readonly tool?: string
}

/** Asks one question in a new conversation. Returns all messages up to the answer. */
async function ask(api: Api, as: string, storeId: string, text: string): Promise<readonly ChatMessage[]> {
  const { id } = await api.post<{ id: string }>('/v1/chat/conversations', { as, body: { storeId } })
  await api.post(`/v1/chat/conversations/${id}/messages`, { as, body: { text } })
  return waitFor(async () => {
    const { generationId, messages } = await api.get<{ generationId: string | null; messages: ChatMessage[] }>(
      `/v1/chat/conversations/${id}`,
      as,
    )
    return generationId === null ? messages : undefined
  })
}

async function draw(api: Api, as: string, storeId: string) {
  const { id } = await api.post<{ id: string }>('/v1/image_generations', { as, body: { storeId, prompt: 'A basket of palm leaves' } })
  await api.post(`/v1/image_generations/${id}/generate`, { as, body: {} })
  return waitFor(async () => {
    const drawn = await api.get<{ status: string; images: string[] }>(`/v1/image_generations/${id}`, as)
    return ['done', 'failed'].includes(drawn.status) ? drawn : undefined
  })
}

/** Lets a job create a page for a product. Returns the page. */
async function makePage(api: Api, as: string, storeId: string, productId: string) {
  const sections = [
    { kind: 'hero', title: 'Woven <b>by hand</b>' },
    { kind: 'offer', text: 'Today.' },
  ]
  const instructions = `Make it so: ${JSON.stringify({ title: 'A basket', language: 'fr', sections })}`
  const { id: jobId } = await api.post<{ id: string }>('/v1/actions/generateAiLandingPage', {
    as,
    body: { storeId, productId, instructions },
  })
  const pageId = await waitFor(async () => {
    const path = `/v1/actions/getAiLandingPageJobStatus?storeId=${storeId}&jobId=${jobId}`
    return (await api.get<{ pageId: string | null }>(path, as)).pageId ?? undefined
  })
  return api.get<{ content: string; published: boolean }>(`/v1/pages/${pageId}?storeId=${storeId}`, as)
}
