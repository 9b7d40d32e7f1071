import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

export interface Row {
  readonly order: string
  readonly customer: string
  /** Text of the cell. The server splits a cell with two numbers. */
  readonly phone: string
  readonly wilaya: string
  readonly commune: string
  readonly address: string
  /** Undefined if the text is unclear. */
  readonly deliveryType: 'home' | 'pickup' | undefined
  readonly sku: string
  readonly product: string
  readonly quantity: number
  readonly unitPrice: number
  readonly note: string
}

export interface Place {
  readonly stateCode: string
  readonly cityCode: string
}

const folder = join(import.meta.dir, '../data')
const read = async (file: string) => parse(await readFile(join(folder, file)), { columns: true, bom: true }) as Record<string, string>[]

const words = {
  home: ['home', 'domicile', 'a domicile', 'المنزل', 'للمنزل', 'الى المنزل'],
  pickup: ['bureau', 'stop desk', 'stopdesk', 'point relais', 'المكتب', 'للمكتب'],
}

function deliveryTypeOf(typed: string): Row['deliveryType'] {
  const word = typed.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
  return (['home', 'pickup'] as const).find((type) => words[type].includes(word))
}

/** Reads the orders as the shop's staff typed them. */
export async function readSheet(): Promise<Row[]> {
  return (await read('orders-dz.csv')).map((row) => ({
    order: row.order!,
    customer: row.customer!,
    phone: row.phone!,
    wilaya: row.wilaya!,
    commune: row.commune!,
    address: row.address!,
    deliveryType: deliveryTypeOf(row.delivery!),
    sku: row.sku!,
    product: row.product!,
    quantity: Number(row.qty),
    unitPrice: Number(row.unit_price),
    note: row.note!,
  }))
}

/** Reads the correct place of each order. The demo compares the server's results with it; the server never sees it. */
export async function readTruth(): Promise<ReadonlyMap<string, Place>> {
  const rows = await read('orders-dz.truth.csv')
  return new Map(rows.map((row) => [row.order!, { stateCode: row.wilaya_code_58!.padStart(2, '0'), cityCode: row.commune_code! }]))
}
