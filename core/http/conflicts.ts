import type { ErrorCode } from './errors.ts'

/**
 * What two callers can want at once and only one can have, by the constraint of the database that decides between them. A violation of
 * any other is our own fault, and told as such.
 */
export const conflicts: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  users_email: ['email_taken', 'There is an account with this e-mail address.'],
  passkeys_credential: ['conflict', 'This passkey is registered already.'],
  account_transfers_open: ['conflict', 'Another transfer was begun at this moment. Begin again.'],
  store_invitations_open: ['conflict', 'This address has an open invitation already: withdraw that first.'],
  store_domains_one: ['conflict', 'The store has a domain: take that away first.'],
  store_domains_held: ['conflict', 'Another store has just proven this domain. Ask again.'],
  store_previews_template: ['not_found', 'The template was not found.'],
  stores_slug_key: ['slug_taken', 'Another store has this slug.'],
  countries_pkey: ['conflict', 'There is a country with this code already.'],
  states_pkey: ['conflict', 'The country has a state with this code already.'],
  cities_pkey: ['conflict', 'The country has a city with this code already.'],
  states_country_code_fkey: ['conflict', 'The country has states: delete those first.'],
  cities_country_code_state_code_fkey: ['conflict', 'The state has cities: delete those first.'],
  currencies_code_key: ['conflict', 'There is a currency with this code already.'],
  products_sku: ['sku_taken', 'Another product of the store has this sku.'],
  product_skus_pkey: ['sku_taken', 'Something else in the store has this sku.'],
  products_slug: ['slug_taken', 'Another product of the store has this slug.'],
  products_category: ['not_found', 'The category was not found.'],
  categories_store_id_slug_key: ['slug_taken', 'Another category of the store has this slug.'],
  categories_parent: ['conflict', 'The category has others under it: move or delete those first.'],
  pages_store_id_slug_key: ['slug_taken', 'Another page of the store has this slug.'],
  feedbacks_product: ['not_found', 'The product was not found.'],
  feedbacks_order: ['not_found', 'The order was not found.'],
  promos_code: ['conflict', 'The store has a promotion with this code already.'],
  parcels_project_id_reference_key: ['conflict', 'The project has a parcel with this reference already.'],
  parcels_live_of_order: ['order_already_sent', 'The order has a parcel already.'],
  integrations_key: ['conflict', 'There is a connection to this adapter of this name already. Read it again.'],
  dispatches_running: ['conflict', 'The order is being dispatched already.'],
  cash_entries_project_id_parcel_id_fkey: ['conflict', 'Money was posted for this parcel: it is kept.'],
  cash_remittances_project_id_connection_id_file_hash_idx: ['conflict', 'This file has been taken already.'],
}
