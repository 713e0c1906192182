// The answers of Azure DevOps Server have the fields that those of Azure DevOps have.
export { azureConnection, azureProjects, azureRepos } from '../azure-devops/answers.ts';
