import { eraseByIds, eraseInOneTransaction, placeWithoutAddress } from '../data/personal-data/personal-data.ts'
import { projectIdOf } from '../data/project-ids.ts'
import { ERASED } from '../lib/person/person-matcher.ts'

/** Erases the customers of orders, and their search text. Lines, amounts, stock and statuses stay. */
export const personalOrders = eraseByIds('orderIds', 'orders', async (tx, ids, { storeId }) => {
  await tx`select 1 from orders where project_id = ${projectIdOf(storeId)} and id = any (${ids as string[]}) order by id for update`
  await tx`update orders set customer_name = ${ERASED}, customer_phone = ${ERASED},
      customer_phone_alt = case when customer_phone_alt is not null then ${ERASED} end, customer_email = case when customer_email is not null then ${ERASED} end,
      destination = ${placeWithoutAddress(tx, 'destination')}, note = case when note = '' then '' else ${ERASED} end, metadata = '{}', network = null,
      search_text = ' ', erased_at = coalesce(erased_at, now()), revision = revision + 1, updated_at = now()
    where project_id = ${projectIdOf(storeId)} and id = any (${ids as string[]})`
})

/** Erases the person's phone number where it is the second number of another customer's order. */
export const secondPhones = eraseInOneTransaction(
  'orders (second numbers)',
  (tx, { storeId, terms, orderIds, requestedAt: askedAt }) =>
    tx`update orders set search_text = replace(search_text, ' ' || ltrim(customer_phone_alt, '+') || ' ', ' '), customer_phone_alt = ${ERASED}, revision = revision + 1,
      updated_at = now()
    where project_id = ${projectIdOf(storeId)} and customer_phone_alt = any (${terms.phones as string[]}) and id <> all (${orderIds as string[]}) and created_at <= ${askedAt}`,
)
