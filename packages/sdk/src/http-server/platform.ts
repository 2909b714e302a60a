interface Surroundings {
  readonly navigator?: { readonly userAgent?: string }
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } }
}

/** Variables that a platform documents for every function that runs on it: AWS Lambda (and Netlify on top of it), Vercel. */
const variables = ['AWS_LAMBDA_FUNCTION_NAME', 'VERCEL']

/** True on platforms that run as many instances as they like, so that requests of one client reach several of them. */
export function multipliesInstances(): boolean {
  const { navigator, process } = globalThis as Surroundings
  return navigator?.userAgent === 'Cloudflare-Workers' || variables.some((name) => Boolean(process?.env?.[name]))
}
