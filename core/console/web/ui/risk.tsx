import type { Schemas } from '../api/client.ts'
import { t } from '../words/words.ts'

type Risk = Schemas['DeliveryRisk']

const valuesOf = ({ refused, ended }: Risk) => ({ refused: String(refused), ended: String(ended) })

/** Says how many deliveries of a person came back, once enough have ended. */
export function RiskNotice({ risk }: { readonly risk: Risk }) {
  if (risk.level === 'high')
    return (
      <p class="notice bad" title={t('risk.rule')}>
        {t('risk.high', valuesOf(risk))}
      </p>
    )
  return risk.level === 'low' && risk.refused > 0 ? <p class="muted small">{t('risk.low', valuesOf(risk))}</p> : null
}

/** Marks a person whose deliveries often come back. */
export const RiskTag = ({ risk }: { readonly risk: Risk }) =>
  risk.level === 'high' ? (
    <span class="status bad" title={t('risk.rule')}>
      {t('risk.tag')}
    </span>
  ) : null
