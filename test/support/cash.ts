import { createHmac } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { Queryable } from '../../core/data/sql.ts'
import type { Answer, TestApp } from './app.ts'
import { findLedgerDifferences, findRemittanceDifferences } from './checks.ts'

const SECRET = 'a secret'
const TO = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' }

export interface Event {
  readonly tracking: string
  readonly status?: string
  readonly payout?: string
  readonly at?: string
}

export interface Sent {
  readonly id: string
  readonly trackingId: string
  readonly reference: string
}

/** All inconsistencies of the ledger and of the remittances. */
export const findCashDifferences = async (sql: Queryable) => [
  ...(await findLedgerDifferences(sql)),
  ...(await findRemittanceDifferences(sql)),
]

let words = 0

/** A shop that is connected to the sandbox carrier, which delivers, returns and pays what the test says. */
export async function cashDesk(app: TestApp, carrier = 'sandbox') {
  const shop = await app.shop()
  const base = `/v1/stores/${shop.storeId}/integrations/${carrier}`
  const as = shop.owner.token
  const { data: connection } = await app.ok('PUT', base, {
    as,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })

  async function send(codAmount: number): Promise<Sent> {
    const { data } = await app.ok('POST', '/v1/parcels', {
      as: shop.key,
      body: {
        submit: true,
        carrierAccountId: connection.id,
        recipient: { name: 'Lina K', phone: '0660112233' },
        codAmount,
        destination: TO,
      },
    })
    return data
  }

  /** The carrier's callback, one word after another. */
  async function say(...events: Event[]) {
    const body = JSON.stringify({ events: events.map((event) => ({ at: new Date().toISOString(), eventId: `e${++words}`, ...event })) })
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
    return app.ok('POST', `${base}/webhook`, { raw: body, headers: { 'x-sandbox-signature': signature } })
  }

  async function deliver(codAmount: number, at?: string): Promise<Sent> {
    const parcel = await send(codAmount)
    await say({ tracking: parcel.trackingId, status: 'delivered', ...(at && { at }) })
    return parcel
  }

  async function get(path: string) {
    return (await app.ok('GET', `${base}/${path}`, { as })).data
  }
  async function post(path: string, body?: object) {
    return (await app.ok('POST', `${base}/${path}`, { as, ...(body && { body }) })).data
  }
  const confirm = (batchId: string) => post('encaissements/batches/confirm', { batchId })
  const reverse = (batchId: string) => post('encaissements/batches/reverse', { batchId })
  const batch = (batchId: string) => get(`encaissements/batches/${batchId}`)
  const parcel = async ({ id }: { id: string }) => (await app.ok('GET', `/v1/parcels/${id}`, { as: shop.key })).data

  /** Uploads a sheet as a form; whatever comes of it. */
  const upload = (content: string | Uint8Array, options: UploadOptions = {}): Promise<Answer> =>
    uploadSheet(app, `${base}/encaissements/import`, content, { as, ...options })

  /** A sheet of `tracking;amount;fee` rows, as a payout. */
  async function payoutOf(rows: readonly (readonly [string, number, number?])[], options: UploadOptions = {}) {
    const csv = [`tracking;montant;frais;sheet ${++words}`, ...rows.map(([tracking, amount, fee]) => `${tracking};${amount};${fee ?? 0};`)]
    const { status, body } = await upload(csv.join('\n'), options)
    if (status !== 201) throw new Error(`The import answered ${status}: ${JSON.stringify(body)}`)
    return body.data
  }

  return { ...shop, as, base, connection, send, say, deliver, get, post, confirm, reverse, batch, parcel, upload, payoutOf }
}

export type CashDesk = Awaited<ReturnType<typeof cashDesk>>

export interface UploadOptions {
  readonly as?: string | undefined
  readonly name?: string
  readonly columns?: object | string
  readonly at?: string
  readonly more?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export async function uploadSheet(app: TestApp, path: string, content: string | Uint8Array, options: UploadOptions): Promise<Answer> {
  const { as, name = 'payout.csv', columns, at, more = {}, headers = {} } = options
  const form = new FormData()
  form.append('file', new File([content as string], name))
  if (columns !== undefined) form.append('columns', typeof columns === 'string' ? columns : JSON.stringify(columns))
  if (at) form.append('at', at)
  for (const [field, value] of Object.entries(more)) form.append(field, value)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const type = request.headers.get('content-type')!
  return app.call('POST', path, {
    ...(as !== undefined && { as }),
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': type, ...headers },
  })
}

interface ZipOptions {
  readonly flags?: number
  readonly stored?: boolean
  /** Writes every size and place in 64 bits, as programs do that do not know beforehand how large a file becomes. */
  readonly zip64?: boolean
}

/** Makes a ZIP archive of these files, as spreadsheets write it. */
export function zip(
  files: Readonly<Record<string, string | Uint8Array>>,
  { flags = 0, stored = false, zip64 = false }: ZipOptions = {},
): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content as string)
    const packed = stored ? plain : deflateRawSync(plain)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(zip64 ? 45 : 20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(stored ? 0 : 8, 4)
    common.writeUInt32LE(zip64 ? 0xffffffff : packed.length, 14)
    common.writeUInt32LE(zip64 ? 0xffffffff : plain.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    common.writeUInt16LE(zip64 ? 20 : 0, 24)
    const local = Buffer.concat([
      Buffer.from([0x50, 0x4b, 3, 4]),
      common,
      Buffer.from(name),
      ...(zip64 ? [extra(plain.length, packed.length)] : []),
      packed,
    ])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(zip64 ? 0xffffffff : offset, 10)
    const inFull = zip64 ? extra(plain.length, packed.length, offset) : Buffer.alloc(0)
    common.writeUInt16LE(inFull.length, 24)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, rest, Buffer.from(name), inFull]))
    locals.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(zip64 ? 0xffff : directory.length, 8)
  end.writeUInt16LE(zip64 ? 0xffff : directory.length, 10)
  end.writeUInt32LE(zip64 ? 0xffffffff : listing.length, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
  return new Uint8Array(Buffer.concat([...locals, listing, ...(zip64 ? endOf64(directory.length, listing.length, offset) : []), end]))
}

/** Sizes in 64 bits. */
function extra(...values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
  return field
}

function endOf64(entries: number, size: number, offset: number): Buffer[] {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(entries), 24)
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return [record, locator]
}

export const WORKBOOK = {
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Payout" sheetId="2" r:id="rId2"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A workbook whose second, visible sheet has these cells: texts shared, numbers plain, `{ xml }` as it stands. */
export function xlsx(
  rows: readonly (readonly (string | number | null | { xml: string })[])[],
  more: Record<string, string> = {},
  options: ZipOptions = {},
): Uint8Array {
  const shared: string[] = []
  const cell = (value: string | number | null | { xml: string }, at: string) => {
    if (value === null) return ''
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
    if (typeof value === 'object') return `<c r="${at}"${value.xml}</c>`
    return `<c r="${at}" t="s"><v>${shared.push(value) - 1}</v></c>`
  }
  const body = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${row + 1}`)).join('')}</row>`,
  )
  const files = {
    ...WORKBOOK,
    'xl/worksheets/sheet2.xml': `<?xml version="1.0"?><worksheet><sheetData>${body.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ...more,
  }
  return zip(files, options)
}
