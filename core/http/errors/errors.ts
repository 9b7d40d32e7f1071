/** Error codes that a caller can see, with their HTTP status. The code is the contract; the message tells a person what to do. */
export const errorStatuses = {
  invalid_json: 400,
  invalid_request: 400,
  request_aborted: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  invalid_signature: 401,
  payment_required: 402,
  plan_limit_reached: 402,
  forbidden: 403,
  signup_closed: 403,
  insufficient_scope: 403,
  product_not_enabled: 403,
  tenant_deleting: 403,
  not_found: 404,
  request_timeout: 408,
  conflict: 409,
  email_taken: 409,
  person_owns_things: 409,
  last_admin: 409,
  last_way_in: 409,
  slug_taken: 409,
  sku_taken: 409,
  idempotency_in_progress: 409,
  invalid_transition: 409,
  parcel_not_editable: 409,
  order_already_sent: 409,
  order_not_confirmed: 409,
  place_unknown: 422,
  duplicate_order: 409,
  outcome_unknown: 409,
  already_paid: 409,
  receipt_used: 409,
  payment_needs_attention: 409,
  mcp_sign_in_needed: 409,
  sign_in_needed: 409,
  webhook_endpoint_disabled: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unknown_host: 421,
  idempotency_key_reused: 422,
  batch_cost_conflict: 422,
  reserved_stock_conflict: 422,
  operation_not_reversible: 422,
  limit_reached: 422,
  invalid_code: 422,
  password_too_common: 422,
  passkey_refused: 422,
  email_required: 422,
  unknown_person: 422,
  reservation_not_active: 422,
  unbalanced_operation: 422,
  invalid_phone: 422,
  product_unavailable: 422,
  recipient_blocked: 422,
  order_too_large: 422,
  too_many_open_orders: 422,
  invalid_promo: 422,
  carrier_not_enabled: 422,
  carrier_refused: 422,
  adapter_refused: 422,
  adapter_not_enabled: 422,
  no_carrier: 422,
  amount_not_payable: 422,
  too_many_payments: 422,
  currency_not_supported: 422,
  receipt_refused: 422,
  refund_unsupported: 422,
  return_too_large: 422,
  invalid_integration_fields: 422,
  webhook_url_refused: 422,
  sheet_columns_unknown: 422,
  sheet_unreadable: 422,
  file_unreadable: 422,
  proxy_failed: 422,
  mcp_server_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  carrier_error: 502,
  upstream_error: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const

/** Error code of the API. */
export type ErrorCode = keyof typeof errorStatuses

/** Problem with one value of a request. */
export interface ErrorDetail {
  /** JSON pointer to the value, such as `/body/items/0`. */
  readonly path: string
  readonly message: string
}

interface Extra {
  readonly details?: readonly ErrorDetail[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Error that reaches the caller with its code and message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extra: Extra = {},
  ) {
    super(message, { cause: extra.cause })
    this.status = errorStatuses[code]
  }
}

/** Builds a 404. Also used for another owner's rows, so that their existence stays hidden. */
export const notFound = (what: string) => new ApiError('not_found', `${what} was not found.`)

/** Builds a 400 for one invalid value. `path` is a JSON pointer to it. */
export const invalidValue = (path: string, message: string) =>
  new ApiError('invalid_request', 'The request has values that cannot be accepted; see details.', { details: [{ path, message }] })
