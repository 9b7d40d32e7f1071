import template from '../../../../plugins/payment/template/index.ts'
import { again, asking, type Defect, defect, reading } from './defect.ts'

/** Gateways that tell as sure what is not, or ask more often than they may. */
export const doubtful: readonly Defect[] = [
  defect(
    template,
    'a dispute that is not told',
    'money that a bank took back is told as such',
    reading(({ takenBack: _, ...news }) => news),
  ),
  defect(
    template,
    'a dispute told as a refund as well',
    'money that a bank took back is told as such',
    reading((news) => (news.takenBack ? { ...news, refunded: news.amount ?? 0 } : news)),
  ),
  defect(
    template,
    'a dispute of what nobody disputes',
    'what was paid is told with its amount and currency',
    reading((news) => (news.status === 'paid' ? { ...news, takenBack: true } : news)),
  ),
  defect(template, 'a status that nobody knows taken for open', 'a status that nobody knows is not guessed', ({ read }) => ({
    read: async (context, id) => {
      try {
        return await read(context, id)
      } catch (error) {
        if (!String(error).includes('nothing that is known')) throw error
        return { externalId: id, status: 'open' }
      }
    },
  })),
  defect(template, 'a refund that waits told as done', 'a refund that waits is pending, and done when it is done', ({ refund }) => ({
    refund: async (context, asked) => ({ ...(await refund!(context, asked)), status: 'done' }),
  })),
  defect(
    template,
    'a refund that failed told as pending',
    'a refund that waits and fails is told as failed, and gives nothing back',
    ({ refund }) => ({
      refund: async (context, asked) => {
        const answer = await refund!(context, asked)
        return { ...answer, status: answer.status === 'failed' ? 'pending' : answer.status }
      },
    }),
  ),
  defect(template, 'a call over quota made again at once', 'read over quota says for how long', ({ read }) => ({
    read: (context, id) => again(() => read(context, id)),
  })),
  defect(template, 'a call that failed made again at once', 'read is unavailable after: error before', ({ read }) => ({
    read: (context, id) => again(() => read(context, id)),
  })),
  defect(template, 'an answer about another checkout believed', 'an answer about another checkout is not believed', ({ read }) => ({
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
