import type { Shop, TestApp } from './app.ts'

export const ENDPOINTS = '/v1/webhook-endpoints'

/** What tests do with the endpoints of a project, through its key. */
export const webhooksBy = ({ ok }: Pick<TestApp, 'ok'>) => ({
  /** For all events, unless said. */
  register: async (of: Pick<Shop, 'key'>, body: Record<string, unknown>) =>
    (await ok('POST', ENDPOINTS, { as: of.key, body: { events: ['*'], ...body } })).data,
  /** A page of what was delivered to one; `query` begins with a question mark. */
  deliveries: async (of: Pick<Shop, 'key'>, id: string, query = '') =>
    (await ok('GET', `${ENDPOINTS}/${id}/deliveries${query}`, { as: of.key })).data,
})
