import {
  amount,
  dinarRates,
  type Fee,
  isRow,
  named,
  number,
  present,
  type Quote,
  type Rate,
  type Row,
  remembered,
  type State,
  unreadable,
  wilayaCode,
  wilayaNumber,
  word,
} from 'serai/carrier'
import { type Account, call } from './api.ts'

/** Prices of one wilaya in dinars; null when the carrier has no price above zero. */
interface Tariff {
  readonly code: string
  readonly name: string
  readonly home: number | null
  readonly pickup: number | null
  readonly returnFee?: number
}

const tariffsOf = (account: Account) => remembered(account.context, 'tariffs', () => fetchTariffs(account))

async function fetchTariffs(account: Account): Promise<Tariff[]> {
  const answer = await call(account, 'POST', 'tarification')
  const tariffs = Array.isArray(answer) ? answer.filter(isRow).flatMap(tariffIn) : []
  if (tariffs.length === 0) throw unreadable(account.company.label, 'no prices')
  return tariffs
}

function tariffIn(row: Row): Tariff[] {
  const [id, name] = [number(row.IDWilaya), word(row.Wilaya)]
  if (id === undefined || name === undefined) return []
  const prices = { home: priceIn(row.Domicile), pickup: priceIn(row.Stopdesk), ...present({ returnFee: amount(row.Annuler) }) }
  return [{ code: wilayaCode(id), name, ...prices }]
}

/** Returns a price; null for zero, which a shop would show as free delivery. */
function priceIn(value: unknown): number | null {
  const price = number(value) ?? 0
  return price > 0 ? price : null
}

/** Finds the wilaya by code, else by name; refuses an unknown one. */
export async function wilayaOf(account: Account, stateCode: string, stateName = ''): Promise<Tariff> {
  const tariffs = await tariffsOf(account)
  const id = wilayaNumber(stateCode)
  return tariffs.find(({ code }) => Number(code) === id) ?? named(tariffs, stateName || stateCode, 'wilaya')
}

/** Lists the wilayas. */
export async function states(account: Account): Promise<State[]> {
  const tariffs = await tariffsOf(account)
  return tariffs.map(({ code, name, home, pickup }) => ({ id: code, name, code, deliverable: home !== null || pickup !== null }))
}

/** Lists delivery fees. */
export async function fees(account: Account, { stateCode }: { stateCode?: string }): Promise<Fee[]> {
  const tariffs = stateCode === undefined ? await tariffsOf(account) : [await wilayaOf(account, stateCode)]
  return tariffs.map(({ code, name: _, ...prices }) => ({ stateCode: code, ...prices }))
}

/** Quotes the price of a wilaya, whatever the commune and the weight. */
export async function rates(account: Account, { stateCode, deliveryType }: Quote): Promise<Rate[]> {
  return dinarRates(await wilayaOf(account, stateCode), deliveryType)
}
