import template from '../../../../plugins/payment/template/index.ts'
import { again, asking, type Defect, defect, reading } from './defect.ts'

/** Gateways that tell as sure what is not, or ask more often than they may. */
export const doubtful: readonly Defect[] = [
  defect(
    template,
    'a dispute that is not told',
    'money that a bank took back is reported',
    reading(({ takenBack: _, ...news }) => news),
  ),
  defect(
    template,
    'a dispute told as a refund as well',
    'money that a bank took back is reported',
    reading((news) => (news.takenBack ? { ...news, refunded: news.amount ?? 0 } : news)),
  ),
  defect(
    template,
    'a dispute of what nobody disputes',
    'a paid checkout has its amount and currency',
    reading((news) => (news.status === 'paid' ? { ...news, takenBack: true } : news)),
  ),
  defect(template, 'a status that nobody knows taken for open', 'an unknown status is unavailable', ({ read }) => ({
    read: async (context, id) => {
      try {
        return await read(context, id)
      } catch (error) {
        if (!String(error).includes('nothing that is known')) throw error
        return { externalId: id, status: 'open' }
      }
    },
  })),
  defect(template, 'a refund that waits told as done', 'a waiting refund is pending, then done', ({ refund }) => ({
    refund: async (context, asked) => ({ ...(await refund!(context, asked)), status: 'done' }),
  })),
  defect(
    template,
    'a refund that failed told as pending',
    'a waiting refund that fails is reported as failed, and returns nothing',
    ({ refund }) => ({
      refund: async (context, asked) => {
        const answer = await refund!(context, asked)
        return { ...answer, status: answer.status === 'failed' ? 'pending' : answer.status }
      },
    }),
  ),
  defect(template, 'a call over quota made again at once', 'read over quota reports the time to wait', ({ read }) => ({
    read: (context, id) => again(() => read(context, id)),
  })),
  defect(template, 'a call that failed made again at once', 'read is unavailable after: error before', ({ read }) => ({
    read: (context, id) => again(() => read(context, id)),
  })),
  defect(template, 'an answer about another checkout believed', 'a response about another checkout is rejected', ({ read }) => ({
    read: async (context, id) => {
      const seen: { id?: string }[] = []
      const news = await read(
        asking(context, (real) => async (url, init) => {
          const answer = await real(url, init)
          if (!answer.ok) return answer
          const json = (await answer.json()) as { id?: string }
          seen.push(json)
          return Response.json({ ...json, id })
        }),
        id,
      )
      return news
    },
  })),
]
