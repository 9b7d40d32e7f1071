import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { Usable } from './models.model.ts'

const HOUR_MS = 3_600_000
/** Of the platform's models, for one store. */
const HOURLY_MAX = 60

/** Counts what a store has drawn by the platform's models; its own are its own to pay for. Throws `rate_limited`. */
export async function countPictures(
  { shared }: Pick<Context, 'shared'>,
  storeId: string,
  { ownedBy }: Pick<Usable, 'ownedBy'>,
  pictures: number,
) {
  if (ownedBy === 'store') return
  let [count, resetMs] = [0, 0]
  for (let one = 0; one < pictures; one += 1) ({ count, resetMs } = await shared.hit(`images:${storeId}`, HOUR_MS))
  if (count <= HOURLY_MAX) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  const message = `A store asks for ${HOURLY_MAX} pictures an hour. Wait ${wait} s, or connect a source of models of your own.`
  throw new ApiError('rate_limited', message, { headers: { 'retry-after': wait } })
}
