import { type FieldPath, invalidField } from '../../lib/errors/domain-error.ts'
import { describeRounded, isRoundedBySpreadsheet } from '../../lib/money/parse-number.ts'

type WrittenSku = string | null | undefined

/**
 * Throws `invalid_request` for a sku that a spreadsheet has rounded, such as a barcode in scientific notation: barcodes with one beginning
 * would all become one sku. Skus in `known` are accepted, since older data may contain them.
 */
export function assertNoRoundedSku(
  { sku, variants = [] }: { readonly sku?: WrittenSku; readonly variants?: readonly { readonly sku?: WrittenSku }[] | undefined },
  known: readonly WrittenSku[] = [],
): void {
  const check = (written: WrittenSku, field: FieldPath) => {
    if (typeof written === 'string' && isRoundedBySpreadsheet(written) && !known.includes(written))
      throw invalidField(field, describeRounded(written))
  }
  check(sku, ['sku'])
  for (const [at, variant] of variants.entries()) check(variant.sku, ['variants', at, 'sku'])
}
