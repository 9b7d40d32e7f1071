/** One platform, several companies: each has its own host, keys and tariffs. */
export interface Company {
  readonly slug: string
  readonly label: string
  readonly host: string
  readonly website: string
}

/** Returns the hosts of the API and of the website, which serves labels. */
export const hostsOf = ({ host, website }: Company): string[] => [host, new URL(website).host]

export const companies: readonly Company[] = [
  {
    slug: 'yalidine',
    label: 'Yalidine',
    host: 'api.yalidine.app',
    website: 'https://yalidine.app/app/dev/docs/api/index.php',
  },
  {
    slug: 'yalitec',
    label: 'Yalitec',
    host: 'api.yalitec.me',
    website: 'https://www.yalitec.me/app/dev/docs/api/index.php',
  },
  { slug: 'guepex', label: 'Guepex', host: 'api.guepex.app', website: 'https://guepex.app/app/dev/docs/api/index.php' },
  {
    slug: 'economiqua',
    label: 'Economiqua',
    host: 'api.economiqua.app',
    website: 'https://economiqua.app/app/dev/docs/api/index.php',
  },
  {
    slug: 'easyandspeed',
    label: 'Easy & Speed',
    host: 'api.easyandspeed.app',
    website: 'https://easyandspeed.app/app/dev/docs/api/index.php',
  },
  { slug: 'wecan', label: 'WeCan Services', host: 'api.wecanservices.me', website: 'https://wecanservices.me/' },
]
